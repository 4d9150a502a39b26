"""The usual plain names of a search tree's fields: by meaning, best name first.

Names in German, French and Spanish come last: they count where there is no English one.
"""

from __future__ import annotations

from typing import Final

SCORES: Final[tuple[str, ...]] = (
    *(
        "score",
        "minimax",
        "minimaxvalue",
        "minimaxscore",
        "negamax",
        "backedup",
        "eval",
        "evaluation",
        "value",
    ),
    *(
        "utility",
        "val",
        "v",
        "best",
        "bestscore",
        "bestvalue",
        "besteval",
        "nodevalue",
        "finalscore",
        "payoff",
        "bestoutcome",
        "nodevalues",
    ),
    *("points", "cp", "centipawns", "result", "reward", "heuristic", "heuristicvalue", "h", "static"),
    *(
        "wert",
        "bewertung",
        "punkte",
        "punktzahl",
        "valeur",
        "évaluation",
        "valor",
        "evaluación",
        "evaluacion",
    ),
    *("puntuación", "puntuacion", "puntaje", "puntos"),
)
STATICS: Final[tuple[str, ...]] = (
    *(
        "static",
        "staticeval",
        "staticscore",
        "staticevaluation",
        "heuristic",
        "heuristicvalue",
        "heuristicscore",
    ),
    *("eval", "evaluation", "leafvalue", "h"),
)
PRE_SCORES: Final[tuple[str, ...]] = (
    *(
        "prescore",
        "presort",
        "quickscore",
        "orderscore",
        "orderingscore",
        "sortscore",
        "sortvalue",
        "moveorder",
    ),
    *("ordervalue", "priority", "preeval"),
)
PLIES: Final[tuple[str, ...]] = (
    *(
        "ply",
        "move",
        "lastmove",
        "moveplayed",
        "movemade",
        "actionname",
        "movename",
        "action",
        "actionfromparent",
    ),
    *("san", "uci", "lan", "notation"),
    *(
        "name",
        "label",
        "text",
        "title",
        "tag",
        "movetext",
        "moveuci",
        "movestr",
        "col",
        "column",
        "cell",
        "square",
    ),
)
WEAK_PLIES: Final[tuple[str, ...]] = (
    *(
        "mv",
        "m",
        "played",
        "coord",
        "coords",
        "coordinates",
        "pos",
        "choice",
        "option",
        "step",
        "to",
        "index",
    ),
)
"""Names that may be the ply's, if the values differ among siblings."""
NAMES_OF_NODES: Final[tuple[str, ...]] = ("id", "key", "nodeid", "node")
"""Names that replace the ply where there is none, if the values are texts."""

ALPHAS: Final[tuple[str, ...]] = ("alpha", "α", "a", "lower", "lo")
BETAS: Final[tuple[str, ...]] = ("beta", "β", "b", "upper", "hi")
WINDOWS: Final[tuple[str, ...]] = ("window", "bounds", "alphabeta", "ab")
LAYERS: Final[tuple[str, ...]] = (
    *("layer", "ismax", "ismaximizing", "ismaximising", "maximizing", "maximising", "maximizingplayer"),
    *("ismaximizingplayer", "maxplayer", "ismaxplayer", "ismaxnode", "maxnode", "ismin", "isminimizing"),
    *("minimizing", "max", "min", "minmax", "minimaxtype", "nodetype", "type", "kind", "role", "mode"),
)
PLAYERS: Final[tuple[str, ...]] = (
    *("player", "playertomove", "tomove", "sidetomove", "turn", "whoseturn", "side", "color", "colour"),
    *("currentplayer", "activeplayer", "mover", "stm", "spieler", "joueur", "jugador"),
)
DEPTHS: Final[tuple[str, ...]] = (
    *("depth", "depthleft", "remaining", "remainingdepth", "depthremaining", "pliesleft", "plies", "d"),
    *("searchdepth", "tiefe", "profondeur", "profundidad"),
)
VISITS: Final[tuple[str, ...]] = (
    "visits",
    "n",
    "visitcount",
    "nvisits",
    "numvisits",
    "simulations",
    "playouts",
    "plays",
    "games",
    "visited",
    "timesvisited",
    "nodevisits",
    "besuche",
    "visites",
    "visitas",
)
MEANS: Final[tuple[str, ...]] = (
    "mean",
    "q",
    "meanvalue",
    "qvalue",
    "winrate",
    "avg",
    "average",
    "averagescore",
)
TOTALS: Final[tuple[str, ...]] = (
    *(
        "totalreward",
        "totalvalue",
        "valuesum",
        "sumvalue",
        "rewardsum",
        "totalscore",
        "scoresum",
        "sumofvalues",
    ),
    *("sumofrewards", "cumulativereward", "accumulatedvalue", "totalactionvalue", "w", "wins"),
)
"""Sums of the results of all visits."""
PRIORS: Final[tuple[str, ...]] = ("prior", "p", "policy", "prob", "probability", "priorprobability")
FACTORS: Final[tuple[str, ...]] = (
    *(
        "factors",
        "features",
        "terms",
        "breakdown",
        "evalterms",
        "evaluationterms",
        "components",
        "contributions",
    ),
    *("evalbreakdown", "scorebreakdown", "factorvalues", "featurevalues", "parts"),
)
NO_TERMS: Final = frozenset(
    (
        *("tt", "window", "bounds", "move", "ply", "action", "position", "pos", "board", "state", "options"),
        *("settings", "style", "itemstyle", "label", "layout", "stats", "statistics", "counts", "counters"),
        *("time", "times", "timing", "timings", "search", "meta", "parent", "policy", "visits", "edge"),
        *("weights", "factorweights", "featureweights", "coefficients", "ucb", "scores", "rootinfo"),
    )
)
"""Plain names of objects of numbers that are no terms of an evaluation."""
COORDINATES: Final = frozenset(
    (
        *("x", "y", "z", "q", "r", "s", "row", "col", "column", "rank", "file", "from", "to", "width"),
        *("height", "left", "top", "dx", "dy"),
    )
)
FACTOR_NAMES: Final[tuple[str, ...]] = (
    "factornames",
    "featurenames",
    "termnames",
    "factors",
    "features",
    "terms",
)
WEIGHTS: Final[tuple[str, ...]] = ("weights", "factorweights", "featureweights", "coefficients")
BOUNDS: Final[tuple[str, ...]] = ("bound", "flag", "boundtype", "ttflag", "scoretype", "nodetype")
ENDED: Final[tuple[str, ...]] = ("terminal", "isterminal", "gameover", "isgameover", "finished", "over")
CUT: Final[tuple[str, ...]] = ("pruned", "ispruned", "cutoff", "cut", "iscutoff", "prune", "alphabetacut")
POSITIONS: Final[tuple[str, ...]] = ("fen", "position", "sfen", "epd")
BOARDS: Final[tuple[str, ...]] = ("board", "grid", "state", "boardstate", "table", "cells", "squares")
ITERATIONS: Final[tuple[str, ...]] = ("iteration", "iterativedepth", "iterationdepth")

EDGE: Final = "edge"
"""The field of a node that holds the fields of the link to it."""
HOLDERS: Final = frozenset(
    (
        *("data", "info", "stats", "attributes", "attrs", "props", "properties", "payload", "extra", "meta"),
        *("details", "value", "values", "node", "state", "result", "evaluation", "eval", "score", "search"),
        EDGE,
    )
)
"""Plain names of objects in a node whose fields are those of the node."""
