"""`plyscope.search`: search a position and record every node, as `plyscope search` does."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Final, Literal, TypedDict, Unpack

from plyscope.engine import algorithms
from plyscope.engine.algorithms import DEFAULT, OURS
from plyscope.engine.game import GameError
from plyscope.engine.montecarlo.run import Progress as TreeProgress
from plyscope.engine.option import OptionError
from plyscope.engine.option import Options as AnyOptions
from plyscope.engine.options import (
    MATE_STEP,
    MOST_DEPTH,
    SearchOptions,
    by_present_names,
    mate_score,
    weights_of,
)
from plyscope.engine.quoting import counted
from plyscope.engine.record.recorded_search import RecordedSearch
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import Progress
from plyscope.log import Log
from plyscope.status import StatusLine, signed, speed
from plyscope.visualizer.analysis.nodes.mate import Mate, mate_text
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.log import Log as StoredLog
from plyscope.visualizer.store.tree import Tree

FEW_LETTERS: Final = 0.6
MEANWHILE: Final = "  (plain Python; its machine code is compiled meanwhile, once on a machine)"


class Options(TypedDict, total=False):
    """The options of a search, by the names of the command line; `plyscope search --help` explains them.

    An algorithm that an installed package brings has options of its own.
    """

    depth: int
    limit: int | None
    seconds: float | None
    nodes: int | None
    algorithm: Literal["minimax", "alphabeta", "pvs", "expectimax", "mcts"]
    iterative: bool
    aspiration: float | None
    quotient: int | None
    seed: int | None
    evaluation: str | None
    weights: Mapping[str, float]
    table: float | None
    table_depth: Literal["equal", "at_least"]
    table_use: Literal["cut", "narrow"]
    table_keep: Literal["iterations", "clear"]
    killers: bool
    history: bool
    iid: int | None
    quiescence: int | None
    null_move: int | None
    lmr: int | None
    reverse_futility: float | None
    prove_wins: bool
    fail: Literal["soft", "hard"]
    playouts: int | None
    select: Literal["ucb1", "plain"]
    c: float
    fpu: float | Literal["heuristic"] | None
    guide: Literal["ring"] | None
    guide_power: float
    turn_limit: int
    choose: Literal["visits", "mean"]
    log_visits: int


class Interrupted(KeyboardInterrupt):
    """A search was stopped by Ctrl+C, or by a notebook's stop button; `log` has what was recorded until then.

    It is a KeyboardInterrupt, so a script that does not catch it ends, and a notebook runs no further cell.
    """

    def __init__(self, recording: Recording) -> None:
        super().__init__("the search was stopped; `log` of this exception has what was recorded until then")
        self._recording = recording

    @cached_property
    def log(self) -> Log:
        """The whole log of the search until it was stopped."""
        return _log(self._recording, StatusLine(is_shown=False))


def search(
    game: object,
    position: str | None = None,
    *,
    progress: bool | None = None,
    **options: Unpack[Options],
) -> Log:
    """Search a position, the start of the game where it is None, and record every node.

    `game` is a name that `plyscope games` lists, `file.py:Class`, or a game of your own: an object with the
    methods that docs/adding-a-game.md lists. The options are those of `plyscope search`: `depth=6`,
    `iterative=True`, `limit=10`, `algorithm="pvs"`, `weights={"mobility": 2}`, ….

    `progress` shows how far it is on standard error; by default it does in a terminal.
    Ctrl+C raises `Interrupted`, which is a KeyboardInterrupt and has the log until then; pressed again it
    stops whatever runs. Raises GameError, OptionError; what a game of your own raises is passed on.
    """
    asked = options_of(options)
    if not isinstance(position, str | None):
        raise GameError(f"position: {position!r}, expected a text that the game reads")
    with StatusLine.of_call(progress) as status:
        found = find_game(game)
        said = contradiction(found, position)
        with interrupts() as is_interrupted:
            recording = recorded(found, position, asked, status, is_interrupted)
            if is_interrupted():
                raise Interrupted(recording)
        return _log(recording, status, () if said is None else (said,))


def repeated(asked: RecordedSearch, status: StatusLine) -> Log:
    """Search what a log was asked for; its notes become notices.

    Raises what `search` raises, and GameError for what a game from outside does wrong.
    """
    from plyscope.engine.games.outside import faults_told

    with interrupts() as is_interrupted, faults_told(asked.game_name):
        recording = recorded(asked.game, asked.position, asked.options, status, is_interrupted)
        if is_interrupted():
            raise Interrupted(recording)
    return _log(recording, status, asked.notes)


def recorded(
    game: Any,
    position: str | None,
    options: AnyOptions,
    status: StatusLine,
    should_stop: Callable[[], bool] | None = None,
    on_rows: Callable[[int, Callable[[], Recording]], None] | None = None,
) -> Recording:
    """Search, showing how far it is; raises GameError, OptionError. `on_rows` is told of trees that grow."""

    def progress(at: Progress | TreeProgress) -> None:
        if isinstance(at, Progress):
            tell(status, at, mate)
        else:
            tell_tree(status, at)

    mate = mate_of_search(game, options) if isinstance(options, SearchOptions) else None
    run = algorithms.find(options.algorithm).search
    return run(game, position, options, progress, should_stop, on_rows=on_rows)


def log_of(recording: Recording, status: StatusLine) -> StoredLog:
    """The columns of a recording, showing that they are made."""
    status.show(f"making columns of {counted(len(recording.rows), 'row')} …")
    return log_from_recording(recording)


def _log(recording: Recording, status: StatusLine, notices: tuple[str, ...] = ()) -> Log:
    log = replace(log_of(recording, status), notices=notices)
    return Log(Tree(log), str(recording.header["game"]))


def options_of(asked: Mapping[str, Any]) -> AnyOptions:
    """The engine's options from those of the command line, or their former names; raises OptionError.

    >>> options_of({"deep": 3})
    Traceback (most recent call last):
    plyscope.engine.option.OptionError: deep: a search has no such option; did you mean depth?
    """
    asked = by_present_names(asked)
    algorithm = algorithms.find(asked.get("algorithm", DEFAULT))
    known = algorithm.names
    for name in asked:
        if name not in known and name != "algorithm":
            title = algorithm.title
            of = next((each for each in OURS.values() if name in each.names), None)
            if of is not None and algorithm is not OURS[DEFAULT]:
                raise OptionError(f"{name}: {title} has no such option; {of.title} has")
            if of is not None:
                expected = f'expected algorithm="{of.options.algorithm}"'
                raise OptionError(f"{name}: an option of {of.title}; {expected}")
            near = get_close_matches(name, known, n=1, cutoff=FEW_LETTERS)
            meant = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(known)}"
            who = "a search" if algorithm in OURS.values() else title
            raise OptionError(f"{name}: {who} has no such option; {meant}")
    if not isinstance(weights := asked.get("weights", {}), Mapping):
        raise OptionError(f'weights: {weights!r}, expected numbers by name, such as {{"mobility": 2.0}}')
    if "algorithm" not in known:
        asked.pop("algorithm", None)
    made: AnyOptions = algorithm.options(**asked)
    return made


def find_game(game: object) -> Any:
    """The game of this name, the game at this place (see `bring`), or the game itself.

    From now on a game from outside is known by its name, unless that is the name of one of ours. Raises
    GameError for what is no game.
    """
    from plyscope.engine.games import GAMES, is_known, load_game, outside

    place = None
    if isinstance(game, str | os.PathLike):
        place = str(os.fspath(game))
        if is_known(place) or not outside.is_place(place):
            return load_game(place)
        game = outside.load(place)
    elif isinstance(game, type):
        raise GameError(f"{game.__name__} is a class; give a game of it: {game.__name__}()")
    is_ours = getattr(game, "name", None) in GAMES
    return outside.know(game, place, is_kept=not is_ours)


def bring(game: object) -> None:
    """Know a game of your own: logs of it then have boards, are replayed by `check`, and searched again.

    `game` is a place as `--game` takes it, `file.py:Class` or what an installed package names; or an object,
    which the processes that a viewer starts are not given. What a log says never makes code load. Raises
    GameError; what the game's code raises is passed on.
    """
    from plyscope.engine.games import outside

    if isinstance(game, str | os.PathLike):
        outside.bring(str(os.fspath(game)))
    else:
        outside.know(game)


def contradiction(game: Any, position: str | None) -> str | None:
    """A game's warning on a position that contradicts itself; None without one. Raises GameError."""
    if position is None or not hasattr(game, "contradiction"):
        return None
    found: str | None = game.contradiction(position, game.read_position(position))
    return found


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """A function that says whether Ctrl+C was pressed; pressed a second time it interrupts as usual.

    Only the main thread hears Ctrl+C: in another nothing changes.
    """
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return

    def on_interrupt(number: int, frame: Any) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def mate_of_search(game: Any, options: SearchOptions) -> Mate:
    """The mate scores of a search of `game`, as the header of its log will declare them."""
    score = mate_score(game, weights_of(game, options))
    return Mate(score, MATE_STEP, score - MATE_STEP * MOST_DEPTH)


def tell(status: StatusLine, at: Progress, mate: Mate | None = None) -> None:
    """Show how far a search is; while it is compiled, how long that takes."""
    if at.phase == "compiling":
        status.wait(f"compiling the search for {at.game}, once on a machine: up to a minute …")
    else:
        status.show(words(at, mate) + (MEANWHILE if at.is_compiling else ""))


def tell_tree(status: StatusLine, at: TreeProgress) -> None:
    """Show how far a Monte Carlo search is; while it is compiled, how long that takes."""
    if at.phase == "compiling":
        status.wait(f"compiling the search for {at.game}, once on a machine: 3 to 15 s …")
    else:
        status.show(tree_words(at) + (MEANWHILE if at.is_compiling else ""))


def tree_words(at: TreeProgress) -> str:
    """One line of progress.

    >>> tree_words(TreeProgress("searching", "hive", 500, 4000, 0.5, "wQ", 0.613, 120))
    '500 of 4,000 play-outs  1,000 a second  best wQ 61.3 % of 120 visits'
    """
    of = "" if at.of is None else f" of {at.of:,}"
    rate = f"  {at.playouts / at.seconds:,.0f} a second" if at.seconds else ""
    best = ""
    if at.ply is not None and at.mean is not None and at.visits is not None:
        best = f"  best {at.ply} {100 * at.mean:.1f} % of {counted(at.visits, 'visit')}"
    return f"{at.playouts:,}{of} play-outs{rate}{best}"


def words(at: Progress, mate: Mate | None) -> str:
    """One line of progress; a win or loss that is found on the way is not proven yet."""
    rate = at.nodes / at.seconds if at.seconds else 0.0
    best = ""
    if at.ply is not None and at.score is not None:
        best = f"  best {at.ply} {mate_text(mate, at.score, 0, None) or signed(at.score)}"
    return f"depth {at.depth}  {at.nodes:,} nodes  {speed(rate, 1)}{best}"
