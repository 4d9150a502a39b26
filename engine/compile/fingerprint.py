"""Mark kernels, and digest what a kernel computes, through every function and constant it reaches.

A digest changes with an edit of the kernel, of a kernel it calls, or of a constant it reads, in whatever
file; it does not change with comments, docstrings, file names or line numbers. The code cache finds machine
code by this digest, so that code is never stale. Nothing here knows of numba.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, MethodDescriptorType, ModuleType
from typing import Any, Final, TypeVar

import numpy as np

_MARK: Final = "_is_kernel"

Function = TypeVar("Function", bound=Callable[..., Any])


class KernelError(TypeError):
    """A kernel uses something that cannot be compiled or digested; the message names both."""


def kernel(function: Function) -> Function:
    """Mark a module-level function, so that `jit.compiled` may compile it and other kernels may call it.

    >>> @kernel
    ... def next_collatz(n):
    ...     return 3 * n + 1 if n & 1 else n // 2
    >>> next_collatz(7)
    22
    """
    setattr(function, _MARK, True)
    return function


def reached(kernels: Iterable[Callable[..., Any]]) -> list[FunctionType]:
    """Return `kernels` and every kernel they call, directly or not, each once, in the order first met.

    Raises `KernelError` for a called Python function without the mark `plyscope.engine.jit.kernel`.
    """
    found: dict[FunctionType, None] = {}
    waiting = list(kernels)
    while waiting:
        function = waiting.pop()
        if not isinstance(function, FunctionType) or not hasattr(function, _MARK):
            name = getattr(function, "__name__", repr(function))
            raise KernelError(f"{name} is no kernel: mark the module-level function with @kernel")
        if function not in found:
            found[function] = None
            waiting += [value for _, value in _reads(function) if isinstance(value, FunctionType)]
    return list(found)


def fingerprint(*kernels: Callable[..., Any]) -> str:
    """Return a digest, 32 hexadecimal digits, of what `kernels` compute.

    >>> from plyscope.engine.jit import kernel
    >>> @kernel
    ... def double(x):
    ...     return 2 * x
    >>> @kernel
    ... def treble(x):
    ...     return 3 * x
    >>> fingerprint(double) == fingerprint(double), fingerprint(double) == fingerprint(treble)
    (True, False)
    """
    digest = hashlib.sha256()
    numbers = {function: i for i, function in enumerate(reached(kernels))}
    for kernel in kernels:
        digest.update(f"entry {numbers[kernel]};".encode())  # type: ignore[index]
    for function in numbers:
        digest_code(function.__code__, digest.update, function.__doc__)
        _digest_value(function.__defaults__, digest.update, f"a default of {function.__qualname__}")
        for name, value in _reads(function):
            digest.update(f"{name}=".encode())
            if isinstance(value, FunctionType):
                digest.update(f"kernel {numbers[value]};".encode())
            else:
                _digest_value(value, digest.update, f"kernel {function.__qualname__} reads {name}")
    return digest.hexdigest()[:32]


def _code_objects(code: CodeType) -> Iterator[CodeType]:
    """Yield `code` and the code of the functions and comprehensions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_objects(constant)


def _reads(function: FunctionType) -> list[tuple[str, Any]]:
    """Return the globals, captured variables and module attributes that `function` may read, by name."""
    names = sorted({name for code in _code_objects(function.__code__) for name in code.co_names})
    cells = function.__closure__ or ()
    values = list(zip(function.__code__.co_freevars, (cell.cell_contents for cell in cells), strict=True))
    values += [(name, function.__globals__[name]) for name in names if name in function.__globals__]
    modules: list[ModuleType] = []
    for module_name, module in values:  # which grows: a module may have modules
        if isinstance(module, ModuleType) and module not in modules and not _is_library(module.__name__):
            modules.append(module)
            values += [
                (f"{module_name}.{name}", vars(module)[name]) for name in names if name in vars(module)
            ]
    # Numba has its own version of a library's function; the versions of both are digested elsewhere.
    return [pair for pair in values if not (isinstance(pair[1], FunctionType) and _is_foreign(pair[1]))]


def _is_library(module_name: str) -> bool:
    return module_name.partition(".")[0] in ("numpy", "math", "builtins", "operator", "numba")


def _is_foreign(function: FunctionType) -> bool:
    return _is_library(function.__module__) or hasattr(function, "_is_intrinsic")


def digest_code(code: CodeType, update: Callable[[bytes], None], docstring: str | None = None) -> None:
    """Digest bytecode, names and constants, but not line numbers or the docstring (the first constant)."""
    update(code.co_code)
    shape = (code.co_argcount, code.co_kwonlyargcount, code.co_flags, code.co_names, code.co_varnames)
    update(repr((*shape, code.co_freevars, code.co_cellvars)).encode())
    for i, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            digest_code(constant, update)
        elif i > 0 or constant not in (None, docstring):
            _digest_value(constant, update, f"a constant of {code.co_name}")


def _digest_value(value: Any, update: Callable[[bytes], None], place: str) -> None:
    if isinstance(value, np.ndarray):
        update(f"array {value.dtype.descr!r} {value.shape};".encode())
        update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, tuple | list):
        update(f"{type(value).__name__} {getattr(value, '_fields', len(value))};".encode())
        for item in value:
            _digest_value(item, update, place)
    elif isinstance(value, frozenset):
        update(f"set {sorted(map(repr, value))};".encode())
    elif value is None or isinstance(value, int | float | complex | str | bytes | np.generic | np.dtype):
        update(f"{type(value).__name__} {value!r};".encode())
    elif isinstance(value, ModuleType):
        update(f"module {value.__name__};".encode())
    elif isinstance(value, type | BuiltinFunctionType | MethodDescriptorType | np.ufunc):
        update(f"{getattr(value, '__module__', '')}.{value.__name__};".encode())
        update(repr(getattr(value, "__members__", getattr(value, "_fields", ""))).encode())
    else:
        raise KernelError(f"{place}: a {type(value).__name__}, where numbers, arrays, tuples, kernels may be")
