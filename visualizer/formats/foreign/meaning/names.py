"""The usual plain names of a search tree's fields: by meaning, best name first.

Names in German, French and Spanish come last: they count where there is no English one.
"""

from __future__ import annotations

from typing import Final


def words(text: str) -> tuple[str, ...]:
    """The words of a text.

    >>> words("alpha beta")
    ('alpha', 'beta')
    """
    return tuple(text.split())


def meanings(**texts: str) -> dict[str, str]:
    """The meaning of each word, by texts of words that mean the same.

    >>> meanings(lower="lb beta", upper="ub")
    {'lb': 'lower', 'beta': 'lower', 'ub': 'upper'}
    """
    return {word: meaning for meaning, text in texts.items() for word in words(text)}


SCORES: Final = words("""
    score minimax minimaxvalue minimaxscore negamax backedup eval evaluation value utility val v best
    bestscore bestvalue besteval nodevalue finalscore payoff bestoutcome nodevalues points cp centipawns
    result reward heuristic heuristicvalue h static wert bewertung punkte punktzahl valeur évaluation
    valor evaluación evaluacion puntuación puntuacion puntaje puntos
""")
STATICS: Final = words("""
    static staticeval staticscore staticevaluation heuristic heuristicvalue heuristicscore eval
    evaluation leafvalue h
""")
PRE_SCORES: Final = words("""
    prescore presort quickscore orderscore orderingscore sortscore sortvalue moveorder ordervalue
    priority preeval
""")
PLIES: Final = words("""
    ply move lastmove moveplayed movemade actionname movename action actionfromparent san uci lan
    notation name label text title tag movetext moveuci movestr col column cell square
""")
WEAK_PLIES: Final = words("mv m played coord coords coordinates pos choice option step to index")
"""Names that may be the ply's, if the values differ among siblings."""
NAMES_OF_NODES: Final = words("id key nodeid node")
"""Names that replace the ply where there is none, if the values are texts."""

ALPHAS: Final = words("alpha α a lower lo")
BETAS: Final = words("beta β b upper hi")
WINDOWS: Final = words("window bounds alphabeta ab")
LAYERS: Final = words("""
    layer ismax ismaximizing ismaximising maximizing maximising maximizingplayer ismaximizingplayer
    maxplayer ismaxplayer ismaxnode maxnode ismin isminimizing minimizing max min minmax minimaxtype
    nodetype type kind role mode
""")
PLAYERS: Final = words("""
    player playertomove tomove sidetomove turn whoseturn side color colour currentplayer activeplayer
    mover stm spieler joueur jugador
""")
DEPTHS: Final = words("""
    depth depthleft remaining remainingdepth depthremaining pliesleft plies d searchdepth tiefe
    profondeur profundidad
""")
VISITS: Final = words("""
    visits n visitcount nvisits numvisits simulations playouts plays games visited timesvisited
    nodevisits besuche visites visitas
""")
MEANS: Final = words("mean q meanvalue qvalue winrate avg average averagescore")
TOTALS: Final = words("""
    totalreward totalvalue valuesum sumvalue rewardsum totalscore scoresum sumofvalues sumofrewards
    cumulativereward accumulatedvalue totalactionvalue w wins
""")
"""Sums of the results of all visits."""
PRIORS: Final = words("prior p policy prob probability priorprobability")
FACTORS: Final = words("""
    factors features terms breakdown evalterms evaluationterms components contributions evalbreakdown
    scorebreakdown factorvalues featurevalues parts
""")
NO_TERMS: Final = words("""
    tt window bounds move ply action position pos board state options settings style itemstyle label
    layout stats statistics counts counters time times timing timings search meta parent policy visits
    edge weights factorweights featureweights coefficients ucb scores rootinfo
""")
"""Plain names of objects of numbers that are no terms of an evaluation."""
COORDINATES: Final = words("""
    x y z q r s row col column rank file from to width height left top dx dy
""")
FACTOR_NAMES: Final = words("factornames featurenames termnames factors features terms")
WEIGHTS: Final = words("weights factorweights featureweights coefficients")
BOUNDS: Final = words("bound flag boundtype ttflag scoretype nodetype")
ENDED: Final = words("terminal isterminal gameover isgameover finished over")
CUT: Final = words("pruned ispruned cutoff cut iscutoff prune alphabetacut")
POSITIONS: Final = words("fen position sfen epd")
BOARDS: Final = words("board grid state boardstate table cells squares")
ITERATIONS: Final = words("iteration iterativedepth iterationdepth")

EDGE: Final = "edge"
"""The field of a node that holds the fields of the link to it."""
HOLDERS: Final = words("""
    data info stats attributes attrs props properties payload extra meta details value values node state
    result evaluation eval score search edge
""")
"""Plain names of objects in a node whose fields are those of the node."""
