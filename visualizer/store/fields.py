"""The table of fields: what a node of a log may state. Readers, writers, pages, check and the browser use it.

A new field is one row here, and the code that uses it: see `docs/adding-a-field.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, get_args

from plyscope.visualizer.store import words
from plyscope.visualizer.store.words import Vocabulary

Kind = Literal[
    "score",  # a number seen from a view, which may be infinite
    "low edge",  # of a window: null is open, -inf
    "high edge",  # null is open, inf
    "amount",  # a number that belongs to no view
    "whole",  # a whole number from 0
    "flag",  # true or false
    "word",  # of a vocabulary
    "text",
    "long text",  # shown in the details only
    "player",  # a name or an index of the header's players
    "key",
    "id",
    "numbers",  # a list
    "named numbers",  # an object
    "texts",  # a list
    "entry",  # the fields that begin with its name
]
"""The kinds of values, each with one way of reading, writing and showing."""

Group = Literal["what came out", "evaluation", "how it was searched", "where it is", "table", "stub", "root"]
"""The subjects of fields: the parts of their page, and of a node's details."""

View = Literal["", "score", "static", "rate"]
"""The group with which a number turns where a log is not written from the root player's view; a rate is
reflected in the range of scores in a best-first search, so that 0.25 of [0, 1] becomes 0.75."""


@dataclass(frozen=True)
class Field:
    """A field that a node may state; `meaning` is read on the page of the format and as a tooltip."""

    name: str
    """In a log; `tt.depth` is `depth` inside `tt`."""
    kind: Kind
    group: Group
    meaning: str
    label: str = ""
    """The label for people, if it is not the name."""
    vocabulary: Vocabulary | None = None
    view: View = ""
    bit: int = 0
    """Its bit in the column `given`, if its absent value may also be stated (a written NaN, the key 0)."""
    is_mostly_whole: bool = False
    """A float that is written without a point where it is whole."""
    in_every_log: bool = False
    """Whether the column is there though no row states it."""
    is_checked: bool = False
    """Whether rules of `check` see it: then `Sight` has an array of that name."""
    bytes: Literal[2, 4, 8] = 4
    """The size of a whole number."""
    mirror: str = ""
    """The field that holds this number once it is turned."""

    def __post_init__(self) -> None:
        if self.view not in get_args(View) or (self.kind == "score" and not self.view):
            raise ValueError(f"{self.name}: a {self.kind} seen from {self.view!r}")
        if (self.kind == "word") != (self.vocabulary is not None):
            raise ValueError(f"{self.name}: a word, and only a word, has a vocabulary")

    @property
    def highest(self) -> int:
        """The highest whole number that it takes."""
        return (1 << 8 * self.bytes - 1) - 1

    @property
    def column(self) -> str:
        """The name of its column: names of columns are those of Python."""
        return self.name.replace(".", "_")

    @property
    def inner_name(self) -> str:
        """Its name inside its entry.

        >>> FIELDS["tt.depth"].inner_name
        'depth'
        """
        return self.name.rpartition(".")[2]


_ROWS: Final = (
    Field("id", "id", "where it is", "name of the node, each once in a file"),
    Field("ply", "text", "where it is", "the move that led to the node", in_every_log=True, is_checked=True),
    Field(
        "layer",
        "word",
        "where it is",
        "who is to move: the root player (`max`), the opponent (`min`), `chance`, or an `other` player",
        vocabulary=words.LAYER_WORDS,
        in_every_log=True,
        is_checked=True,
    ),
    Field("player", "player", "where it is", "who is to move, one of `players`", is_checked=True),
    Field(
        "score",
        "score",
        "what came out",
        "what the search returned",
        view="score",
        bit=1,
        in_every_log=True,
        is_checked=True,
    ),
    Field(
        "bound",
        "word",
        "what came out",
        "the true score is the score (`exact`), at least (`lower`) or at most (`upper`) that",
        vocabulary=words.BOUND_WORDS,
        in_every_log=True,
        is_checked=True,
    ),
    Field(
        "outcome",
        "word",
        "what came out",
        "why the visit ended, or what a stub stands for",
        vocabulary=words.OUTCOME_WORDS,
        in_every_log=True,
        is_checked=True,
    ),
    Field(
        "purpose",
        "word",
        "how it was searched",
        "why this position was visited",
        vocabulary=words.PURPOSE_WORDS,
        is_checked=True,
    ),
    Field(
        "cut_by",
        "word",
        "what came out",
        "what made the visit end early",
        "cut",
        vocabulary=words.CUT_WORDS,
        is_checked=True,
    ),
    Field(
        "ending",
        "word",
        "what came out",
        "how the game ended, seen as scores are",
        vocabulary=words.ENDING_WORDS,
        is_checked=True,
    ),
    Field("why", "text", "what came out", "why the game ended, in words"),
    Field(
        "static",
        "score",
        "evaluation",
        "the evaluation of this very position",
        view="static",
        bit=8,
        is_checked=True,
    ),
    Field(
        "pre_score",
        "score",
        "evaluation",
        "the quick score by which siblings are sorted",
        "pre-score",
        view="static",
        bit=16,
        is_checked=True,
    ),
    Field(
        "stand_pat",
        "score",
        "evaluation",
        "the value of not moving, in quiescence",
        view="static",
        bit=32,
        is_checked=True,
    ),
    Field(
        "factors",
        "numbers",
        "evaluation",
        "raw values of the terms, in the order of the header's `factors`, null where unknown",
        view="static",
        is_checked=True,
    ),
    Field(
        "contributions",
        "named numbers",
        "evaluation",
        'what each term added, by name, such as `{"mobility": 15}`',
        view="static",
        is_checked=True,
    ),
    Field(
        "estimate",
        "score",
        "evaluation",
        "one more ply that static reasoning stood in for, as the mover could have it",
        view="score",
        bit=128,
        is_checked=True,
    ),
    Field(
        "counted_as",
        "score",
        "what came out",
        "what the parent took for this visit, where that is not its score",
        view="score",
        bit=256,
        is_checked=True,
    ),
    Field(
        "scores",
        "numbers",
        "what came out",
        "one number a player, in the order of `players`, in games of more than two",
        is_checked=True,
    ),
    Field(
        "depth",
        "amount",
        "how it was searched",
        "plies left to search; may be fractional or negative",
        is_mostly_whole=True,
        is_checked=True,
    ),
    Field(
        "reduction",
        "amount",
        "how it was searched",
        "plies by which the visit was reduced",
        is_mostly_whole=True,
        is_checked=True,
    ),
    Field(
        "extension",
        "amount",
        "how it was searched",
        "plies by which the visit was extended",
        is_mostly_whole=True,
        is_checked=True,
    ),
    Field("quiescence", "flag", "how it was searched", "inside the quiescence search", is_checked=True),
    Field("in_check", "flag", "where it is", "the mover is in check", is_checked=True),
    Field("moves", "whole", "what came out", "legal plies generated", "legal plies", is_checked=True),
    Field(
        "alpha",
        "low edge",
        "how it was searched",
        "lower edge of the window on entry, null where open",
        view="score",
        bit=2,
        is_checked=True,
    ),
    Field(
        "beta",
        "high edge",
        "how it was searched",
        "upper edge of the window on entry, null where open",
        view="score",
        bit=4,
        is_checked=True,
    ),
    Field("count", "whole", "stub", "how many siblings a stub stands for", bytes=8, is_checked=True),
    Field("plies", "texts", "stub", "the plies that a stub stands for"),
    Field("pre_scores", "numbers", "stub", "their pre-scores, one a ply", "pre-scores"),
    Field(
        "key",
        "key",
        "where it is",
        "position key: 16 hexadecimal digits, a number, or any text",
        bit=64,
        is_checked=True,
    ),
    Field(
        "left_key",
        "text",
        "where it is",
        "the key on leaving the node, where it is another than on entry",
        "key on leaving",
        is_checked=True,
    ),
    Field("tt", "entry", "table", "the table entry that the visit used", "table entry"),
    Field(
        "tt.use",
        "word",
        "table",
        "what the entry did",
        vocabulary=words.TT_USE_WORDS,
        is_checked=True,
    ),
    Field(
        "tt.depth",
        "amount",
        "table",
        "the depth it was stored with",
        is_mostly_whole=True,
        is_checked=True,
    ),
    Field("tt.bound", "word", "table", "its bound", vocabulary=words.BOUND_WORDS, is_checked=True),
    Field("tt.score", "score", "table", "its score", view="score", is_checked=True),
    Field("tt.ply", "text", "table", "its ply", is_checked=True),
    Field("tt.from", "id", "table", "the node that stored it, by `id` or by its number", is_checked=True),
    Field(
        "nodes",
        "whole",
        "how it was searched",
        "nodes searched here and below; of an `unlogged` stub, those without rows",
        "nodes searched",
        bytes=8,
    ),
    Field("seconds", "amount", "how it was searched", "time spent below this node", "time"),
    Field(
        "visits",
        "amount",
        "how it was searched",
        "visits, in a best-first tree",
        is_mostly_whole=True,
        is_checked=True,
    ),
    Field(
        "prior",
        "amount",
        "how it was searched",
        "prior probability, of chance or in a best-first tree",
        is_checked=True,
    ),
    Field("mean", "amount", "how it was searched", "mean result of the visits", view="rate", is_checked=True),
    Field(
        "stderr", "amount", "how it was searched", "standard error of the mean", "standard error of the mean"
    ),
    Field(
        "wins",
        "amount",
        "how it was searched",
        "visits that the root player won",
        is_mostly_whole=True,
        mirror="losses",
        is_checked=True,
    ),
    Field(
        "draws",
        "amount",
        "how it was searched",
        "visits that ended in a draw",
        is_mostly_whole=True,
        is_checked=True,
    ),
    Field(
        "losses",
        "amount",
        "how it was searched",
        "visits that the root player lost",
        is_mostly_whole=True,
        mirror="wins",
        is_checked=True,
    ),
    Field("ucb", "entry", "how it was searched", "the terms by which the parent chose this child"),
    Field(
        "ucb.exploit",
        "amount",
        "how it was searched",
        "what the child is worth to it",
        view="rate",
        is_checked=True,
    ),
    Field(
        "ucb.explore",
        "amount",
        "how it was searched",
        "what is added since it was visited little",
        is_checked=True,
    ),
    Field(
        "ucb.n",
        "amount",
        "how it was searched",
        "visits of the child by then",
        is_mostly_whole=True,
        is_checked=True,
    ),
    Field(
        "ucb.n_parent",
        "amount",
        "how it was searched",
        "visits of its parent by then",
        is_mostly_whole=True,
        is_checked=True,
    ),
    Field(
        "expanded_at",
        "amount",
        "how it was searched",
        "the visit of the root at which the node got its children",
        is_mostly_whole=True,
    ),
    Field("position", "long text", "where it is", "the position as text", is_checked=True),
    Field(
        "left_position",
        "long text",
        "where it is",
        "the position on leaving the node, where it is another than on entry",
        "position on leaving",
        is_checked=True,
    ),
    Field("board", "long text", "where it is", "the board as free text"),
    Field("iteration", "whole", "root", "the depth of this iteration, where a log has several trees"),
)

FIELDS: Final = {field.name: field for field in _ROWS}
"""Every field of a node by its name in a log, in the order in which rows are written."""

OWN: Final = tuple(field for field in _ROWS if "." not in field.name)
"""The fields that a node states itself; `tt.depth` beside them is a field of somebody's own."""

OF_NODES: Final = frozenset(field.name for field in OWN)
"""Their names."""

NATIVE: Final = OF_NODES | {"children", "parent"}
"""Every name that a node of a log may write with a meaning of ours; all others are extras."""


@cache
def entry_of(name: str) -> tuple[Field, ...]:
    """The fields of an entry.

    >>> [field.inner_name for field in entry_of("tt")]
    ['use', 'depth', 'bound', 'score', 'ply', 'from']
    """
    return tuple(field for field in _ROWS if field.name.startswith(f"{name}."))
