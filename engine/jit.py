"""Kernels: functions that run as plain Python and compiled. Numba is loaded by the first that is compiled.

`@kernel` only marks a function: called from Python it is plain Python, so boards are drawn and small games
searched without loading numba. `compiled(function)` returns its machine code, kept on disk between processes
(see `code_cache`) under a digest of what it computes (see `fingerprint`). A game is passed to the search as a
*token*, whose numba type carries the digest of the game's kernels. So numba specialises one search for every
game and finds it again on disk, and an edited kernel has another type.

Write kernels so that both ways give the same numbers:

* No `int64` beside a `uint64` in `+ - * //`: numba makes that float64. Use one kind throughout; bits 0..62
  fit an int64, and a board that needs bit 63 is `np.uint64` everywhere, its constants and shifts too.
* Integers wrap at 64 bits when compiled and grow when not: mask any that may overflow.
* `numpy` warns if a scalar overflows in plain Python: hash by xor of tables, not by multiplying.
* Division by zero gives inf or nan when compiled and raises when not.
* Globals are frozen when the function is compiled.
* Allocate nothing. Machine code counts no references to arrays, since each count is a locked instruction and
  a search passes its arrays through every call; this took a search from 690 to 270 ns a node. Only kernels
  of games that allocate count them, so such a game is slow but works.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from plyscope.engine.compile.callee import (
    callee_pipeline,
    caller_pipeline,
    compile_callee,
    compile_caller,
    way,
)
from plyscope.engine.compile.code_cache import CodeCache, has_any
from plyscope.engine.compile.fingerprint import KernelError, digest_code, fingerprint, kernel, reached
from plyscope.engine.compile.kernels import (
    CHANCE_OF,
    GAME_KERNELS,
    OF_STATE_ALONE,
    OPTIONAL_KERNELS,
    UNDOES,
    kernels_of,
)
from plyscope.engine.compile.once import Once

__all__ = [
    "KernelError",
    "NotCompiledError",
    "at_hand",
    "bind",
    "compiled",
    "copy_array",
    "count_bits",
    "fetch",
    "first_bit",
    "form",
    "is_at_hand",
    "kernel",
    "last_bit",
    "load",
    "needs_compiling",
    "word",
]


def count_bits(bits: int) -> int:
    """Return the number of set bits of a 64-bit word; one instruction when compiled.

    >>> count_bits(0b1011), count_bits(-1)
    (3, 64)
    """
    return (int(bits) & 0xFFFFFFFFFFFFFFFF).bit_count()


def first_bit(bits: int) -> int:
    """Return the place of the lowest set bit of a 64-bit word, 64 if none; one instruction when compiled.

    >>> first_bit(0b1000), first_bit(0)
    (3, 64)
    """
    word = int(bits) & 0xFFFFFFFFFFFFFFFF
    return (word & -word).bit_length() - 1 if word else 64


def last_bit(bits: int) -> int:
    """Return the place of the highest set bit of a 64-bit word, 0 if none; two instructions when compiled.

    >>> last_bit(0b1010), last_bit(0)
    (3, 0)
    """
    return max((int(bits) & 0xFFFFFFFFFFFFFFFF).bit_length() - 1, 0)


def word(bits: int) -> int:
    """Return the same 64 bits as an unsigned number.

    >>> word(-1) == 2**64 - 1
    True
    """
    return int(bits) & 0xFFFFFFFFFFFFFFFF


def copy_array(source: Any, target: Any) -> None:
    """Copy an array to one of the same length.

    It uses a slice as plain Python. Compiled it copies item by item, since slices check their lengths.

    >>> import numpy as np
    >>> copy_array(np.array([3, 4]), target := np.zeros(2, np.int64))
    >>> target.tolist()
    [3, 4]
    """
    target[:] = source


def fetch(array: Any, place: int) -> None:
    """Have the processor fetch the memory of `array[place]`, an item that is read or written soon.

    It is one instruction when compiled, which waits for nothing and changes nothing, also where the array has
    no such item; as plain Python it does nothing.
    """


def is_plain() -> bool:
    """Return True in plain Python, and the constant False when compiled, so a branch on it costs nothing.

    >>> is_plain()
    True
    """
    return True


_intrinsics: tuple[Any, ...] = (count_bits, first_bit, last_bit, word, copy_array, fetch, is_plain)
for _intrinsic in _intrinsics:
    _intrinsic._is_intrinsic = True


@cache
def compiled(function: Callable[..., Any]) -> Any:
    """Return the compiled form of a kernel, which numba specialises for the types of its arguments.

    Loads numba. The first call for given types takes seconds if the disk has no machine code for them;
    `compiled(f).stats` counts the hits. Callees are compiled into it. Numba refuses code that allocates.
    Raises `KernelError` if `function` uses something that cannot be compiled.
    """
    for callee in (kernels := reached([function])):
        _dispatcher(callee)
    dispatcher = compile_caller(function)
    dispatcher._cache = CodeCache(kernels[0], (_toolchain(), way()))
    return dispatcher


class NotCompiledError(Exception):
    """The machine code of a kernel is not compiled yet."""


def at_hand(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel as `compiled` does, which raises `NotCompiledError` instead of compiling."""

    def call(*arguments: Any) -> Any:
        asked = function, *map(form, arguments)
        if asked not in _found and not is_at_hand(function, lambda: arguments):
            raise NotCompiledError(function.__name__)
        _found.add(asked)
        return compiled(function)(*arguments)

    return call


_found: set[tuple[Any, ...]] = set()
"""Kernels whose machine code was at hand, with the forms of arguments."""


def needs_compiling(dispatcher: Any, *arguments: Any) -> bool:
    """Return True if a call with `arguments` would compile: the code is neither loaded nor on disk."""
    types = tuple(map(_numba().typeof, arguments))
    return types not in dispatcher.overloads and not dispatcher._cache.has(types, dispatcher.targetctx)


def is_at_hand(function: Callable[..., Any], arguments: Callable[[], Sequence[Any]]) -> bool:
    """Return True if the machine code of a kernel for `arguments()` is loaded or on disk.

    Where the disk has none of a kernel of this name, numba is not loaded to find that out.
    """
    return has_any(function.__name__) and not needs_compiling(compiled(function), *arguments())


def load(dispatcher: Any, *arguments: Any) -> None:
    """Load or compile the machine code for `arguments`, without calling it."""
    known = (id(dispatcher), *map(form, arguments))
    if known not in _loaded:
        dispatcher.compile(tuple(map(_numba().typeof, arguments)))
        _loaded[known] = dispatcher  # which keeps its id


_loaded: dict[tuple[Any, ...], Any] = {}


def form(value: Any) -> Any:
    """Return the facts that decide numba's type of an argument; numba's `typeof` takes 0.1 ms for records."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.num
    if isinstance(value, tuple):
        return (type(value), *map(form, value))
    return getattr(value, "_numba_type_", type(value))


def bind(game: Any) -> Any:
    """Return a token of `game` for compiled functions, which may call all kernels on it (see `kernels`).

    Raises `KernelError` if a kernel is missing or not marked.
    """
    game = getattr(game, "unguarded", game)  # a game from outside, whose kernels are called with care
    kernels: dict[str, FunctionType] = kernels_of(game)
    for name, function in kernels.items():
        if not isinstance(function, FunctionType):
            raise KernelError(f"game {getattr(game, 'name', game)!r} has no kernel {name!r}")
    return _token(game.name, tuple(kernels.items()))


@cache
def _token(game_name: str, kernels: tuple[tuple[str, FunctionType], ...]) -> _Token:
    """The token of these kernels. To digest them takes 4 ms, longer than many a search of a match."""
    functions = [function for _, function in kernels]
    for callee in reached(functions):
        _dispatcher(callee, counts_references=True)
    type_name = f"game {game_name} {fingerprint(*functions)}"
    _game_kernels[type_name] = dict(kernels)
    return _Token(type_name)


class _Token:
    """A game as an argument of a compiled function; it has no content but its type."""

    def __init__(self, type_name: str) -> None:
        self._numba_type_ = _game_type(type_name)


_game_kernels: dict[str, dict[str, FunctionType]] = {}


@cache
def _dispatcher(function: FunctionType, *, counts_references: bool = False) -> Any:
    """Give `function` a dispatcher, which numba uses when compiled code calls the function as a global."""
    numba = _numba()
    _teach_numba()
    dispatcher = compile_callee(function, counts_references=counts_references)
    function._numba_type_ = numba.types.Dispatcher(dispatcher)  # type: ignore[attr-defined]
    return dispatcher


@cache
def _toolchain() -> tuple[str, ...]:
    """Return the other facts that decide the machine code: library versions, and our extensions of numba."""
    import llvmlite

    taught = hashlib.sha256()
    for source in (_teach_numba, callee_pipeline, caller_pipeline):
        digest_code(source.code, taught.update)
    versions = (_numba().__version__, llvmlite.__version__, np.__version__, platform.python_version())
    return (*versions, platform.python_implementation(), taught.hexdigest())


@cache
def _numba() -> Any:
    import numba
    import numba.extending

    return numba


@cache
def _game_type(name: str) -> Any:
    return _teach_numba()(name)


@Once
def _teach_numba() -> Any:
    """Register game tokens, bits and copies with numba, and return the class of the tokens' types."""
    import llvmlite.ir

    numba = _numba()
    extending: Any = numba.extending
    types: Any = numba.types

    class GameType(types.Opaque):  # type: ignore[misc]
        """The type of a game's token: its name carries the digest of the game's kernels."""

        def __reduce__(self) -> Any:
            return _game_type, (self.name,)

    extending.register_model(GameType)(extending.models.OpaqueModel)
    extending.unbox(GameType)(lambda _, __, c: extending.NativeValue(c.context.get_dummy_value()))
    defined_for_zero = llvmlite.ir.IntType(1)(0)

    def place_of_last(builder: Any, bits: Any) -> Any:
        leading = builder.ctlz(builder.or_(bits, bits.type(1)), defined_for_zero)
        return builder.xor(leading, bits.type(63))

    for name in (*GAME_KERNELS, *OPTIONAL_KERNELS, CHANCE_OF, UNDOES):
        extending.overload_method(GameType, name)(_forward(name))
    extending.overload(count_bits)(_word_instruction(types.int64, lambda builder, bits: builder.ctpop(bits)))
    extending.overload(first_bit)(
        _word_instruction(types.int64, lambda builder, bits: builder.cttz(bits, defined_for_zero))
    )
    extending.overload(last_bit)(_word_instruction(types.int64, place_of_last))
    extending.overload(word)(_word_instruction(types.uint64, lambda builder, bits: bits))

    def copying(source: Any, target: Any) -> Callable[..., None]:
        def copy_items(source: Any, target: Any) -> None:
            for i in range(len(source)):
                target[i] = source[i]

        return copy_items

    extending.overload(copy_array, inline="always")(copying)
    extending.overload(fetch)(_fetch_instruction())
    extending.overload(is_plain, inline="always")(lambda: lambda: False)
    return GameType


def _forward(name: str) -> Callable[..., Any]:
    """Return the function that numba compiles for `game.name(…)`: a call of that game's kernel."""

    def of_nothing(function: FunctionType) -> Callable[..., Any]:
        return lambda game: function()

    def of_state(function: FunctionType) -> Callable[..., Any]:
        return lambda game, state: function(state)

    def of_state_and_other(function: FunctionType) -> Callable[..., Any]:
        return lambda game, state, other: function(state, other)

    if name == UNDOES:
        return lambda game: of_nothing(_game_kernels[game.name][name])
    if name in OF_STATE_ALONE:
        return lambda game, state: of_state(_game_kernels[game.name][name])
    return lambda game, state, other: of_state_and_other(_game_kernels[game.name][name])


def _fetch_instruction() -> Callable[..., Any]:
    """Return the intrinsic for `fetch`: LLVM's prefetch of data, for writing, into every cache."""
    import llvmlite.ir

    ir: Any = llvmlite.ir
    types: Any = _numba().types
    extending: Any = _numba().extending
    name, number = "llvm.prefetch.p0", ir.IntType(32)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())
        form = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        prefetch = builder.module.globals.get(name) or ir.Function(builder.module, form, name)
        builder.call(prefetch, [pointer, number(1), number(3), number(1)])
        return context.get_dummy_value()

    instruction = extending.intrinsic(lambda _, address: (types.none(types.intp), emit))

    def fetching(array: Any, place: Any) -> Callable[..., None]:
        def fetch_item(array: Any, place: Any) -> None:
            instruction(array.ctypes.data + place * array.itemsize)

        return fetch_item

    return fetching


def _word_instruction(result: Any, emit: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return the intrinsic for a function of a 64-bit word that is one instruction of LLVM."""
    types: Any = _numba().types
    extending: Any = _numba().extending

    def type_and_code(_: Any, bits: Any) -> Any:
        return result(types.uint64), lambda context, builder, signature, words: emit(builder, words[0])

    instruction = extending.intrinsic(type_and_code)
    return lambda bits: lambda bits: instruction(bits)
