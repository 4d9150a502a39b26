"""Machine code that is loaded without numba: readers of large logs begin with it.

Importing numba takes 0.2 s, and each kernel that it loads 20 ms more, since it wraps the kernel for calls
from Python and keeps what it knows of the types. A reader calls twenty kernels, and reads many a file in less
time. So here numba compiles a kernel without wrappers. A few instructions of our own (`_entry`) are its only
way in: they take numpy's arrays and hand them on as numba lays arrays out. LLVM alone loads both from disk,
and `ctypes` calls them.

This holds for kernels of numbers and arrays that return a whole number or a truth value. All others are
compiled and called by numba, and so are all where numba's passes are not ours (see `callee.way`).
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyscope.engine.compile import code_cache
from plyscope.engine.compile.fingerprint import fingerprint

RESULTS: Final = {"int64": "i64", "bool": "i8"}
"""What a kernel may return, as numba calls it, and as LLVM does where it is stored."""
NUMBERS: Final[dict[str, Any]] = {"int64": ctypes.c_int64, "bool": ctypes.c_int64, "float64": ctypes.c_double}
FAILED: Final = -(2**63)
"""What comes back from a kernel that raised an exception, which none may do."""
OF_ARRAYS: Final = frozenset("?bhilqBHILQfd")
"""Kinds of items that arrays may have."""
OF_LIBC: Final = frozenset(("memcpy", "memmove", "memset", "memcmp"))
"""What machine code may call; all else is numba's or Python's own, and not found without them."""
C_CONTIGUOUS: Final = 1
F_CONTIGUOUS: Final = 2
ALIGNED: Final = 0x100
WRITEABLE: Final = 0x400
NUMBA_SETTINGS: Final = "NUMBA_"
DATA: Final = object.__basicsize__
DIMENSIONS: Final = DATA + 16
STRIDES: Final = DATA + 24
"""Where a numpy array has its place in memory, and the places of its dimensions and strides: part of numpy's
binary interface since its first version, for 64 bits. They stand behind the beginning of every object."""

Form = tuple[Any, ...]


class NotCompiledError(Exception):
    """The machine code of a kernel would have to be compiled first."""


class BareKernel:
    """The machine code of a kernel, called with arrays, whole numbers, floats and truth values.

    `compile_it` returns numba's result for arguments, None where it is of no use here; `by_numba` returns
    the kernel as numba calls it; `made_with` is what decides the code besides the kernel and its arguments.
    """

    def __init__(
        self,
        function: Any,
        made_with: Callable[[], tuple[Any, ...]],
        compile_it: Callable[[Any, Sequence[Any]], Any],
        by_numba: Callable[[Any], Any],
    ) -> None:
        self._function = function
        self._made_with, self._compile_it, self._by_numba = made_with, compile_it, by_numba
        self._loaded: dict[Form, Any] = {}
        """What calls the machine code, by what is quickly found of arguments."""
        self._forms: set[Form] = set()
        self._lock = threading.Lock()
        self.n_compiled = 0
        """How often machine code was compiled, because the disk had none."""

    def __call__(self, *arguments: Any) -> Any:
        """Call the kernel; the first call with arguments of these types loads its code, or compiles it."""
        kind = _kind(arguments)
        try:
            call = self._loaded[kind]
        except KeyError:
            with self._lock:
                if kind not in self._loaded:
                    form = tuple(map(_form, arguments))
                    self._forms.add(form)
                    self._loaded[kind] = self._load(form, arguments)
            call = self._loaded[kind]
        if call is None:
            return self._by_numba(self._function)(*arguments)
        result = call(*arguments)
        if result == FAILED:
            raise RuntimeError(f"the kernel {self._function.__name__} raised an exception")
        return result

    def at_hand(self, *arguments: Any) -> Any:
        """Call the kernel as `__call__` does. Raises `NotCompiledError` instead of compiling."""
        if _kind(arguments) not in self._loaded and not self._is_on_disk(tuple(map(_form, arguments))):
            raise NotCompiledError(self._function.__name__)
        return self(*arguments)

    @property
    def n_loaded(self) -> int:
        """For how many forms of arguments it was called: of each the code was loaded once."""
        return len(self._forms)

    def _load(self, form: Form, arguments: Sequence[Any]) -> Any:
        """The function that calls the machine code for arguments of this form; None where numba has to."""
        if None in form or not _arrays_are_known():
            return None
        path = self._path(form)
        payload = code_cache.read_checked(path)
        if payload is None:
            code_cache.take_turn(path)
            payload = code_cache.read_checked(path)
        if payload is None:
            with code_cache.compiling():
                payload = self._compiled(form, arguments)
            self.n_compiled += 1
            code_cache.write_checked(path, payload)
            code_cache.end_turn()
        else:
            code_cache.end_turn()
            os.utime(path)
        if not payload:
            return None
        head, _, code = payload.partition(b"\n")
        result, n_of_entry = head.split()
        types = [NUMBERS[each] if isinstance(each, str) else ctypes.py_object for each in form]
        returned = ctypes.c_bool if result == b"bool" else ctypes.c_int64
        address = _address(code[: int(n_of_entry)], code[int(n_of_entry) :])
        return ctypes.CFUNCTYPE(returned, *types)(address)

    def _is_on_disk(self, form: Form) -> bool:
        """Return True if the disk has machine code for arguments of this form, which is not read yet.

        Where it has none of a kernel of this name, neither numba nor LLVM is loaded to find that out.
        """
        if None in form or not code_cache.has_any(self._function.__name__):
            return False
        return self._path(form).exists()

    def _path(self, form: Form) -> Path:
        """The file of the machine code for arguments of this form."""
        decides = (
            fingerprint(self._function),
            _entry(ENTRY, form, "i64"),
            form,
            *self._made_with(),
            *_processor(),
        )
        return code_cache.path_of(self._function.__name__, decides)

    def _compiled(self, form: Form, arguments: Sequence[Any]) -> bytes:
        """The bytes kept on disk: the type of the result, and object code; empty where numba has to call."""
        result = self._compile_it(self._function, arguments)
        if result is None:
            return b""
        of_result = result.signature.return_type
        of_result = str(getattr(of_result, "literal_type", of_result))  # `return 0` is a type of its own
        if of_result not in RESULTS:
            return b""
        module = getattr(result.library, "_final_module", None)
        code = getattr(result.library, "_compiled_object", None)
        if module is None or not code:  # as in a numba that is not known yet
            return b""
        called = {
            function.name
            for function in module.functions
            if function.is_declaration and not function.name.startswith("llvm.")
        }
        if called - OF_LIBC:
            return b""
        entry = _object_code(_entry(result.fndesc.mangled_name, form, RESULTS[of_result]))
        return f"{of_result} {len(entry)}\n".encode() + entry + bytes(code)


def _kind(arguments: Sequence[Any]) -> tuple[Any, ...]:
    """What is quickly found of arguments and tells the machine code that takes them."""
    return tuple(
        [
            (each.dtype, each.ndim, each.flags.num) if type(each) is np.ndarray else type(each)
            for each in arguments
        ]
    )


def _form(value: Any) -> Any:
    """The form of an argument, which decides its code; None where numba has to take the call."""
    if type(value) is np.ndarray:
        flags = value.flags.num
        if value.dtype.char in OF_ARRAYS and value.dtype.isnative and flags & ALIGNED:
            layout = flags & C_CONTIGUOUS or flags & F_CONTIGUOUS
            return value.dtype.str, value.ndim, layout, flags & WRITEABLE
        return None
    return {bool: "bool", int: "int64", float: "float64"}.get(type(value))


ENTRY: Final = "plyscope_entry"


def _entry(kernel: str, form: Form, result: str) -> str:
    """The function that calls a kernel with numpy's arrays, in LLVM's language.

    Numba passes an array as two owners, number of items, bytes of one, place, and its shape and strides. A
    kernel without reference counts asks for no owner, and none asks for the number of items.
    """
    taken, lines, passed, types = [], [], ["ptr %result", "ptr %error"], ["ptr", "ptr"]
    for number, each in enumerate(form):
        if isinstance(each, str):
            of_kernel = {"int64": "i64", "bool": "i1", "float64": "double"}[each]
            taken.append(f"{'i64' if each == 'bool' else of_kernel} %a{number}")
            passed.append(f"{of_kernel} %a{number}")
            types.append(of_kernel)
            if each == "bool":
                lines.append(f"%b{number} = trunc i64 %a{number} to i1")
                passed[-1] = f"i1 %b{number}"
            continue
        taken.append(f"ptr %a{number}")
        passed += ["ptr null", "ptr null", "i64 0", f"i64 {np.dtype(each[0]).itemsize}", f"ptr %d{number}"]
        types += ["ptr", "ptr", "i64", "i64", "ptr"]
        lines += [
            f"%pd{number} = getelementptr i8, ptr %a{number}, i64 {DATA}",
            f"%d{number} = load ptr, ptr %pd{number}",
        ]
        for name, offset in (("n", DIMENSIONS), ("s", STRIDES)):
            here = f"{name}{number}"
            lines += [
                f"%p{here} = getelementptr i8, ptr %a{number}, i64 {offset}",
                f"%q{here} = load ptr, ptr %p{here}",
            ]
            for at in range(each[1]):
                lines += [
                    f"%r{here}_{at} = getelementptr i64, ptr %q{here}, i64 {at}",
                    f"%{here}_{at} = load i64, ptr %r{here}_{at}",
                ]
                passed.append(f"i64 %{here}_{at}")
                types.append("i64")
    lines += [
        f"%result = alloca {result}",
        "%error = alloca ptr",
        f"%status = call i32 @{kernel}({', '.join(passed)})",
        f"%plain = load {result}, ptr %result",
        "%whole = zext i8 %plain to i64" if result == "i8" else "%whole = add i64 %plain, 0",
        "%is_fine = icmp eq i32 %status, 0",
        f"%returned = select i1 %is_fine, i64 %whole, i64 {FAILED}",
        "ret i64 %returned",
    ]
    lines.sort(key=lambda line: "alloca" not in line)  # of which LLVM wants those first
    body = "\n  ".join(lines)
    declared = f"declare i32 @{kernel}({', '.join(types)})"
    return f"{declared}\n\ndefine i64 @{ENTRY}({', '.join(taken)}) {{\n  {body}\n}}\n"


def _object_code(text: str) -> bytes:
    """Compile a module that is written in LLVM's language."""
    import llvmlite.binding

    llvm: Any = llvmlite.binding
    machine = _machine()
    module = llvm.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    return bytes(machine.emit_object(module))


_engines: list[Any] = []
"""What holds the loaded code, which is never given up."""


def _address(*codes: bytes) -> int:
    """Load object code; the address of what it is entered by."""
    import llvmlite.binding

    llvm: Any = llvmlite.binding
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    for code in codes:
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    return int(engine.get_function_address(ENTRY))


def _machine() -> Any:
    """The machine that LLVM loads code for; each engine takes one over."""
    import llvmlite.binding

    llvm: Any = llvmlite.binding
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), reloc="pic", codemodel="jitdefault", jit=True
    )


@cache
def _arrays_are_known() -> bool:
    """Return True if numpy's arrays have place, dimensions and strides where machine code looks for them."""
    if ctypes.sizeof(ctypes.c_void_p) != 8 or np.ndarray.__basicsize__ < STRIDES + 8:
        return False
    probe = np.zeros((3, 5), dtype=np.int16)[1:, 2:]
    at = id(probe)
    if ctypes.c_void_p.from_address(at + DATA).value != probe.ctypes.data:
        return False
    places = (ctypes.c_void_p.from_address(at + each).value for each in (DIMENSIONS, STRIDES))
    found = [tuple((ctypes.c_int64 * 2).from_address(place)) if place else () for place in places]
    return found == [probe.shape, probe.strides]


@cache
def _processor() -> tuple[str, ...]:
    """The processor and numba's settings, which decide the code besides compiler and kernel."""
    import llvmlite.binding

    llvm: Any = llvmlite.binding
    settings = sorted(
        f"{name}={value}" for name, value in os.environ.items() if name.startswith(NUMBA_SETTINGS)
    )
    features = llvm.get_host_cpu_features().flatten()
    return llvm.get_default_triple(), llvm.get_host_cpu_name(), features, *settings
