"""The second way: plays listed by brute force, factors counted one play at a time."""

from __future__ import annotations

from itertools import combinations, permutations

from plyscope_studies.castle.game import Position, is_line

Play = tuple[tuple[int, int], ...]


def all_plays(position: Position, *, next_to_lying: bool = False) -> set[Play]:
    """Every play as (kind, cell), cells ascending."""
    rules, board = position.rules, position.board
    free = [cell for cell, kind in enumerate(board) if kind < 0]
    found: set[Play] = set()
    for size in (1, 2, 3):
        sets = [cells for cells in combinations(free, size) if _is_joined(position, cells)]
        orders = set(permutations(position.hands[position.player], size))
        for cells in sets:
            if next_to_lying and not any(board[b] >= 0 for cell in cells for b in rules.neighbours[cell]):
                continue
            for kinds in orders:
                if all(rules.fits[kind, cell] for kind, cell in zip(kinds, cells, strict=True)):
                    found.add(tuple(zip(kinds, cells, strict=True)))
    return found


def factors(position: Position, play: Play, sees: str = "all", replies: str = "single") -> list[float]:
    """The eight values of a play."""
    rules, board = position.rules, list(position.board)
    n, me = len(position.hands), position.player
    tile = sum(rules.kinds[kind].points for kind, _ in play)
    beside = sum(_beside(position, board, cell) for _, cell in play)
    double = tile + beside if is_line([cell for _, cell in play], rules.plan.n_columns) else 0
    fade = 1 - (sum(kind >= 0 for kind in board) / len(board))
    potential = sum(rules.kinds[kind].potential for kind, _ in play) * fade
    heat = sum(_heat(position, board, cell, sees) for _, cell in play)
    after = list(board)
    for kind, cell in play:
        after[cell] = kind
    chances = [0.0, 0.0, 0.0]
    around = {b for _, cell in play for b in rules.neighbours[cell] if after[b] < 0}
    for step in range(1, n):
        hand = _seen(position, (me + step) % n, sees)
        if replies == "full":
            chances[step - 1] = _best_reply(position, play, after, hand)
            continue
        scores = [
            rules.kinds[kind].points + _beside(position, board, cell) + _of_play(position, play, cell)
            for cell in around
            for kind in hand
            if rules.fits[kind, cell]
        ]
        chances[step - 1] = max(scores, default=0.0)
    return [tile, beside, double, potential, *chances, heat]


def rank(values: list[float]) -> float:
    """The formula, written out."""
    t, a, d, p, o1, o2, o3, b = values
    return (100 * t + 300 * a + 100 * d) - 60 * p - 100 * o1 - 50 * o2 - 20 * o3 + 160 * b


def _best_reply(position: Position, play: Play, after: list[int], hand: list[int]) -> float:
    """The most points of any play of up to three tiles of a hand that touches this play."""
    rules = position.rules
    laid = {cell for _, cell in play}
    best = 0.0
    for reply in all_plays(Position(rules, after, [hand], [], [0.0])):
        if not any(beside in laid for _, cell in reply for beside in rules.neighbours[cell]):
            continue
        points = sum(
            rules.kinds[kind].points + _beside(position, position.board, at) + _of_play(position, play, at)
            for kind, at in reply
        )
        best = max(best, points * (2 if is_line([at for _, at in reply], rules.plan.n_columns) else 1))
    return best


def _heat(position: Position, board: list[int], cell: int, sees: str) -> float:
    rules = position.rules
    return max(
        (
            rules.kinds[kind].points + _beside(position, board, cell)
            for rival in range(len(position.hands))
            if rival != position.player
            for kind in _seen(position, rival, sees)
            if rules.fits[kind, cell]
        ),
        default=0.0,
    )


def _seen(position: Position, player: int, sees: str) -> list[int]:
    hand = position.hands[player]
    return hand if sees == "all" else hand[3:]


def _beside(position: Position, board: list[int], cell: int) -> float:
    rules, total = position.rules, 0.0
    for near in rules.neighbours[cell]:
        if board[near] >= 0:
            total += rules.kinds[board[near]].points
            if rules.gardens and rules.kinds[board[near]].name == "garden":
                far = [each for each in rules.neighbours[near] if each != cell and board[each] >= 0]
                total += sum(rules.kinds[board[each]].points for each in far)
    return total


def _of_play(position: Position, play: Play, cell: int) -> float:
    rules = position.rules
    return sum(rules.kinds[kind].points for kind, laid in play if laid in rules.neighbours[cell])


def _is_joined(position: Position, cells: tuple[int, ...]) -> bool:
    pairs = [(a, b) for a, b in combinations(cells, 2) if b in position.rules.neighbours[a]]
    return len(pairs) >= len(cells) - 1
