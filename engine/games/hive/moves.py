"""The legal plies: placements, each bug's moves, throws.

A piece's destinations are noted once each by a bit in the cells' words (`SEEN`), which is taken away before
the next piece, so a state is after generating as it was before. The plies of a piece found so far serve as
the queue in which an ant walks on. While spiders, ants and ladybugs are on their way, their own cell counts
as empty: it is taken out of its neighbours' words, and put back.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.game import ONGOING, State
from engine.games.hive.cells import BETWEEN, DIRECTION, OFFSETS, RING, SLIDES, SOLE, WRAP
from engine.games.hive.connection import splits
from engine.games.hive.play import flip_around, player, status
from engine.games.hive.state import (
    ANT,
    AT,
    BEETLE,
    BLACK,
    COUNT,
    FIRST,
    GRASSHOPPER,
    HAND,
    HAS_PILLBUG,
    IN_PLAY,
    KIND,
    LADYBUG,
    MOSQUITO,
    N_KINDS,
    PASS,
    PILLBUG,
    QUEEN,
    SEEN,
    SPIDER,
    TALL,
    height_of,
    last_moved,
    ring_of,
    top_of,
)
from engine.jit import first_bit, kernel

Plies = npt.NDArray[np.int32]


@kernel
def generate(state: State, plies: Plies) -> int:
    """Placements by kind, moves and throws by piece, throws of the opponent's; a pass if none; 0 if over."""
    if status(state) != ONGOING:
        return 0
    side = player(state)
    n = placements(state, plies, side)
    if state[AT + BLACK * side] >= 0:
        n = _moves(state, plies, n, side)
    if n == 0:
        plies[0] = PASS
        n = 1
    return n


# Placements -----------------------------------------------------------------------------------------------


@kernel
def placements(state: State, plies: Plies, side: int) -> int:
    """One ply for each kind in hand and each cell; the queen not first, and fourth at the latest."""
    own = BLACK * side
    n_in_play = int(state[IN_PLAY + side])
    queen_is_due = n_in_play == 3 and state[HAND + 8 * side + QUEEN] != 0
    n_cells = -1
    n = 0
    for kind in range(N_KINDS):
        left = int(state[HAND + 8 * side + kind])
        if left == 0 or (kind == QUEEN and n_in_play == 0) or (kind != QUEEN and queen_is_due):
            continue
        piece = own + int(FIRST[kind] + COUNT[kind]) - left
        if n_cells < 0:
            n_cells = placement_cells(state, plies, side)
            n = n_cells
            for i in range(n_cells):
                plies[i] = (plies[i] << 5) | piece
        else:
            for i in range(n_cells):
                plies[n + i] = (plies[i] & ~31) | piece
            n += n_cells
    return n


@kernel
def placement_cells(state: State, cells: Plies, side: int) -> int:
    """Write the cells on which `side` may place, return how many."""
    if state[IN_PLAY] + state[IN_PLAY + 1] == 0:
        cells[0] = 0
        return 1
    # a side without a piece in play places beside any piece
    owner = side if state[IN_PLAY + side] != 0 else 1 - side
    n = 0
    for piece in range(BLACK * owner, BLACK * owner + BLACK):
        cell = int(state[AT + piece])
        if cell < 0:
            continue
        found = int(state[cell])
        if top_of(found) != piece:
            continue
        sole = sole_cells(state, cell, found, owner)
        while sole != 0:
            d = first_bit(sole)
            sole &= sole - 1
            cells[n] = (cell + int(OFFSETS[d])) & WRAP
            n += 1
    return n


@kernel
def sole_cells(state: State, cell: int, found: int, side: int) -> int:
    """The directions of empty cells that touch pieces of `side` only, of which that on `cell` comes first.

    So each such cell is named once: by the own piece that it sees in the lowest direction. `found` is the
    word of `cell`.
    """
    neighbours = found & 0xFFF
    if side == 1:
        neighbours = (neighbours >> 6) | ((neighbours & RING) << 6)
    sole = 0
    maybe = int(SOLE[neighbours])
    while maybe != 0:
        d = first_bit(maybe)
        maybe &= maybe - 1
        around = int(state[(cell + int(OFFSETS[d])) & WRAP])
        own = (around >> (6 * side)) & RING
        if own == ring_of(around) and first_bit(own) == (d + 3 if d < 3 else d - 3):
            sole |= 1 << d
    return sole


# Moves and throws -----------------------------------------------------------------------------------------


@kernel
def _moves(state: State, plies: Plies, n: int, side: int) -> int:
    """Moves of own pieces and throws of any, with the queen in play."""
    own = BLACK * side
    last = last_moved(state)
    thrower = -1
    mimic = -1
    if state[HAS_PILLBUG] != 0:
        thrower = _able(state, own + 13, last)
        mimic = _able(state, own + 11, last)
        if mimic >= 0 and (_kinds_around(state, mimic) >> PILLBUG) & 1 == 0:
            mimic = -1
        if thrower < 0:
            thrower = mimic
            mimic = -1
    for piece in range(own, own + BLACK):
        cell = int(state[AT + piece])
        if cell < 0 or piece == last:
            continue
        found = int(state[cell])
        if top_of(found) != piece:
            continue
        ring = ring_of(found)
        height = height_of(found)
        if height == 1 and splits(state, cell, ring):
            continue
        start = n
        n = _moves_of(state, plies, n, piece, cell, ring, height)
        if thrower >= 0 and height == 1:
            n = _throws_by(state, plies, n, piece, cell, thrower)
            if mimic >= 0:
                n = _throws_by(state, plies, n, piece, cell, mimic)
        _forget(state, plies, start, n)
    if thrower >= 0:
        n = _throws_of_others(state, plies, n, side, last, thrower, mimic)
    return n


@kernel
def _moves_of(state: State, plies: Plies, n: int, piece: int, cell: int, ring: int, height: int) -> int:
    """The moves of a piece that may leave its cell, by its kind; their cells stay `SEEN`."""
    kind = int(KIND[piece])
    kinds = 1 << kind
    if kind == MOSQUITO:
        kinds = 1 << BEETLE if height > 1 else _kinds_around(state, cell)
    if (kinds >> ANT) & 1 != 0:
        n = _walk(state, plies, n, piece, cell)
    elif kinds & (1 << SPIDER) != 0:
        n = _three_steps(state, plies, n, piece, cell, ring)
    if kinds & ((1 << QUEEN) | (1 << PILLBUG)) != 0:
        n = _add_around(state, plies, n, piece, cell, int(SLIDES[ring]))
    if (kinds >> GRASSHOPPER) & 1 != 0:
        n = _jump(state, plies, n, piece, cell, ring)
    if (kinds >> BEETLE) & 1 != 0:
        n = _add_around(state, plies, n, piece, cell, climbs(state, cell, ring, height - 1))
    if (kinds >> LADYBUG) & 1 != 0:
        n = _over_the_top(state, plies, n, piece, cell, ring)
    return n


@kernel
def _forget(state: State, plies: Plies, start: int, n: int) -> None:
    """Take `SEEN` off the cells of one piece's plies."""
    for i in range(start, n):
        state[(int(plies[i]) >> 5) & WRAP] &= ~SEEN


@kernel
def _kinds_around(state: State, cell: int) -> int:
    """The set of kinds on top of the neighbours of `cell`, as bits."""
    around = ring_of(int(state[cell]))
    kinds = 0
    while around != 0:
        d = first_bit(around)
        around &= around - 1
        kinds |= 1 << int(KIND[top_of(int(state[(cell + int(OFFSETS[d])) & WRAP]))])
    return kinds


@kernel
def _add_around(state: State, plies: Plies, n: int, piece: int, cell: int, directions: int) -> int:
    """Add the neighbours of `cell` in these directions, those not yet there."""
    while directions != 0:
        d = first_bit(directions)
        directions &= directions - 1
        beside = (cell + int(OFFSETS[d])) & WRAP
        found = int(state[beside])
        if found & SEEN == 0:
            state[beside] = found | SEEN
            plies[n] = (beside << 5) | piece
            n += 1
    return n


@kernel
def _walk(state: State, plies: Plies, n: int, piece: int, cell: int) -> int:
    """An ant's: all cells that slide after slide leads to."""
    _lift(state, cell, piece)
    next_ply = n
    n = _add_around(state, plies, n, piece, cell, int(SLIDES[ring_of(int(state[cell]))]))
    while next_ply < n:
        at = int(plies[next_ply]) >> 5
        next_ply += 1
        n = _add_around(state, plies, n, piece, at, int(SLIDES[ring_of(int(state[at]))]))
    _lower(state, cell, piece)
    return n


@kernel
def _three_steps(state: State, plies: Plies, n: int, piece: int, cell: int, ring: int) -> int:
    """A spider's: three slides without stepping on one cell twice."""
    _lift(state, cell, piece)
    first = int(SLIDES[ring])
    while first != 0:
        d = first_bit(first)
        first &= first - 1
        one = (cell + int(OFFSETS[d])) & WRAP
        second = int(SLIDES[ring_of(int(state[one]))])
        while second != 0:
            d = first_bit(second)
            second &= second - 1
            two = (one + int(OFFSETS[d])) & WRAP
            if two == cell:
                continue
            third = int(SLIDES[ring_of(int(state[two]))])
            while third != 0:
                d = first_bit(third)
                third &= third - 1
                end = (two + int(OFFSETS[d])) & WRAP
                found = int(state[end])
                if end != one and found & SEEN == 0:
                    state[end] = found | SEEN
                    plies[n] = (end << 5) | piece
                    n += 1
    _lower(state, cell, piece)
    return n


@kernel
def _lift(state: State, cell: int, piece: int) -> None:
    """Have the neighbours of `cell` see nothing there, and bar the way back onto it."""
    flip_around(state, cell, 64 if piece >= BLACK else 1)
    state[cell] |= SEEN


@kernel
def _lower(state: State, cell: int, piece: int) -> None:
    """Undo `_lift`."""
    flip_around(state, cell, 64 if piece >= BLACK else 1)
    state[cell] &= ~SEEN


@kernel
def _jump(state: State, plies: Plies, n: int, piece: int, cell: int, ring: int) -> int:
    """A grasshopper's: straight over an unbroken row to the first empty cell."""
    while ring != 0:
        d = first_bit(ring)
        ring &= ring - 1
        offset = int(OFFSETS[d])
        end = (cell + offset) & WRAP
        found = int(state[end])
        while height_of(found) != 0:
            end = (end + offset) & WRAP
            found = int(state[end])
        if found & SEEN == 0:
            state[end] = found | SEEN
            plies[n] = (end << 5) | piece
            n += 1
    return n


@kernel
def tall_around(state: State, cell: int) -> int:
    """The directions in which two pieces or more stand on one another."""
    tall = 0
    if state[TALL] != 0:
        for d in range(6):
            if height_of(int(state[(cell + int(OFFSETS[d])) & WRAP])) > 1:
                tall |= 1 << d
    return tall


@kernel
def climbs(state: State, cell: int, ring: int, level: int) -> int:
    """The directions in which a beetle may step from `level` on `cell`.

    From the ground to the ground it slides. Else it is in the way of both common neighbours only if both are
    higher than what it leaves behind and what it steps on.
    """
    allowed = RING if level > 0 else ring | int(SLIDES[ring])
    gates = int(BETWEEN[tall_around(state, cell)]) & allowed
    while gates != 0:
        d = first_bit(gates)
        gates &= gates - 1
        to = height_of(int(state[(cell + int(OFFSETS[d])) & WRAP]))
        left = height_of(int(state[(cell + int(OFFSETS[(d + 1) % 6])) & WRAP]))
        right = height_of(int(state[(cell + int(OFFSETS[(d + 5) % 6])) & WRAP]))
        if left > max(level, to) and right > max(level, to):
            allowed ^= 1 << d
    return allowed


@kernel
def _over_the_top(state: State, plies: Plies, n: int, piece: int, cell: int, ring: int) -> int:
    """A ladybug's: two steps on top of the hive, then one down, not back to where it stood."""
    _lift(state, cell, piece)
    first = climbs(state, cell, ring, 0) & ring
    done = 0
    while first != 0:
        d = first_bit(first)
        first &= first - 1
        one = (cell + int(OFFSETS[d])) & WRAP
        on = int(state[one])
        second = climbs(state, one, ring_of(on), height_of(on)) & ring_of(on)
        while second != 0:
            d = first_bit(second)
            second &= second - 1
            two = (one + int(OFFSETS[d])) & WRAP
            on = int(state[two])
            # what follows does not depend on the first step
            if (done >> top_of(on)) & 1 == 0:
                done |= 1 << top_of(on)
                down = climbs(state, two, ring_of(on), height_of(on)) & (ring_of(on) ^ RING)
                n = _add_around(state, plies, n, piece, two, down)
    _lower(state, cell, piece)
    return n


# Throws ---------------------------------------------------------------------------------------------------


@kernel
def _able(state: State, piece: int, last: int) -> int:
    """The cell of a piece that stands uncovered on the ground and did not move on the ply before, else -1."""
    cell = int(state[AT + piece])
    if cell >= 0 and piece != last:
        found = int(state[cell])
        if top_of(found) == piece and height_of(found) == 1:
            return cell
    return -1


@kernel
def _throws_by(state: State, plies: Plies, n: int, piece: int, cell: int, thrower: int) -> int:
    """Add where the pillbug (or mosquito) on `thrower` throws `piece`, which may leave `cell`, if beside it.

    Over the thrower, whose height is 1, a gate is two neighbours of height 2 or more.
    """
    d = int(DIRECTION[(cell - thrower) & WRAP])
    if d < 6:
        gates = int(BETWEEN[tall_around(state, thrower)])
        if (gates >> d) & 1 == 0:
            empty = ring_of(int(state[thrower])) ^ RING
            n = _add_around(state, plies, n, piece, thrower, empty & ~gates)
    return n


@kernel
def _throws_of_others(
    state: State, plies: Plies, n: int, side: int, last: int, thrower: int, mimic: int
) -> int:
    """Throws of the opponent's pieces."""
    others = BLACK * (1 - side)
    for piece in range(others, others + BLACK):
        cell = _able(state, piece, last)
        if cell >= 0:
            start = n
            n = _throws_by(state, plies, n, piece, cell, thrower)
            if mimic >= 0:
                n = _throws_by(state, plies, n, piece, cell, mimic)
            if n > start:
                _forget(state, plies, start, n)
                if splits(state, cell, ring_of(int(state[cell]))):
                    n = start
    return n


# What quiescence looks at ---------------------------------------------------------------------------------


@kernel
def noisy(state: State, plies: Plies) -> int:
    """The plies that end beside or on the opponent's queen."""
    n = generate(state, plies)
    queen = int(state[AT + BLACK * (1 - player(state))])
    n_noisy = 0
    for i in range(n):
        ply = int(plies[i])
        if queen >= 0 and ply != PASS:
            end = ply >> 5
            if end == queen or DIRECTION[(end - queen) & WRAP] < 6:
                plies[n_noisy] = ply
                n_noisy += 1
    return n_noisy
