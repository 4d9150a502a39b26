"""Nim with three heaps: whoever takes the last match wins. See `plyscope search examples/nim.py:Nim`."""

from plyscope.engine.game import FIRST_WON, SECOND_WON, Board, Cell


class Nim:
    name = "nim"
    players = ("Ann", "Ben")
    factors = {"nim_sum": 10.0, "matches": 1.0}

    def start(self):
        return (0, 3, 4, 5)  # whose turn it is, then the heaps

    def plies(self, position):
        return [(heap, n) for heap in (1, 2, 3) for n in range(1, position[heap] + 1)]

    def apply(self, position, ply):
        after = [1 - position[0], *position[1:]]
        after[ply[0]] -= ply[1]
        return tuple(after)

    def player(self, position):
        return position[0]

    def winner(self, position):
        if any(position[1:]):
            return None
        return FIRST_WON if position[0] == 1 else SECOND_WON

    def values(self, position):
        turn, a, b, c = position
        sign = 1 if turn == 0 else -1
        return [sign * (a ^ b ^ c != 0), sign * (a + b + c)]

    def write_ply(self, position, ply):
        return f"{'ABC'[ply[0] - 1]}-{ply[1]}"

    def board(self, position):
        matches = {(heap, i): ("yellow disc",) for heap in (1, 2, 3) for i in range(position[heap])}
        places = [(heap, i) for heap in (1, 2, 3) for i in range(5)]
        cells = [Cell(x, -y, matches.get((x, y), ()), f"{'ABC'[x - 1]}{y + 1}") for x, y in places]
        return Board("squares", tuple(cells))
