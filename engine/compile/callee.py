"""Compile a kernel together with its callees, where numba compiles each function alone.

For every function numba optimises, makes machine code, and adds wrappers for calls from Python and C. A
callee that only kernels call needs none of that. Here it stays LLVM code, which is linked into its caller
and optimised there. So a kernel with a hundred callees compiles several times faster, to the same code.

Linked callees are marked `internal`, so LLVM may inline a function that is called once, and drop unused
arguments; an array is seven arguments, most of them unused. If nothing in the module allocates, reference
counting is removed. Functions and branch targets begin at fixed boundaries. Otherwise the speed of a kernel
depends on how many bytes the code before it happens to have: by 6 % in the opening of Hive.

This uses private parts of numba. `way` finds out whether they work in the installed version. If they do not,
kernels are compiled without them: compiling takes longer, the code is slower, its results are the same.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import Any, Final, Literal

from plyscope.engine.compile.code_cache import give_up
from plyscope.engine.compile.once import Once

Way = Literal["passes", "public"]
"""How to compile: by our own passes, or only by what numba documents."""

TRIED: Final = ((0, 62), (0, 69))
"""All tests ran on numba from the first of these versions to before the second; others are probed."""

PUBLIC_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy"}
NO_WRAPPERS: Final[dict[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

log = logging.getLogger(__name__)


def compile_callee(function: Any, *, counts_references: bool) -> Any:
    """Return the dispatcher of a function that only compiled functions call."""
    return _callee(function, counts_references) if way() == "passes" else _public(function)


def compile_caller(function: Any) -> Any:
    """Return the dispatcher of a function that Python calls."""
    return _caller(function) if way() == "passes" else _public(function)


@cache
def way() -> Way:
    """Return the way to compile that works with the installed numba.

    On a version outside `TRIED` a small kernel is compiled by our passes, to see whether its result is right.
    That takes some tenths of a second in a process that compiles or loads machine code.
    """
    import numba

    if _is_tried():
        return "passes"
    try:
        if _probe() == _PROBED:
            return "passes"
        why = "another result"
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
    log.info("numba %s cannot be given our passes (%s): kernels are slower", numba.__version__, why)
    return "public"


def _is_tried() -> bool:
    """Return True if the installed numba is one of those that all tests ran on."""
    import numba

    version = tuple(int(part) for part in numba.__version__.split(".")[:2] if part.isdigit())
    return TRIED[0] <= version < TRIED[1]


def _public(function: Any) -> Any:
    import numba

    return numba.njit(**PUBLIC_OPTIONS)(function)


def _callee(function: Any, counts_references: bool) -> Any:
    import numba

    options = PUBLIC_OPTIONS | NO_WRAPPERS | {"pipeline_class": callee_pipeline(), "_nrt": counts_references}
    return numba.njit(**options)(function)


def _caller(function: Any) -> Any:
    import numba

    options = PUBLIC_OPTIONS | {"pipeline_class": caller_pipeline(), "_nrt": False}
    return numba.njit(**options)(function)


_PROBED: Final = (7.0, 3)


def _probe() -> Any:
    """Compile a kernel that calls a kernel by our passes, and return its result: `_PROBED` if that works."""
    import numpy as np

    def total(values: Any, n: int) -> tuple[float, int]:
        found = 0.0
        for i in range(n):
            found += values[i]
        return found, n

    def doubled(values: Any) -> tuple[float, int]:
        values[0] *= 2
        return callee(values, len(values))  # type: ignore[no-any-return]

    callee = _callee(total, True)
    return _caller(doubled)(np.array([1.0, 2.0, 3.0]))


@Once
def callee_pipeline() -> Any:
    """Return the numba compiler class for functions that only compiled functions call."""
    import numba._dynfunc
    import numba.core.codegen
    import numba.core.typed_passes

    codegen: Any = numba.core.codegen
    passes: Any = numba.core.typed_passes

    class Callee(codegen.JITCodeLibrary):  # type: ignore[misc]
        """A library that is only linked into others, and never becomes machine code itself."""

        def _optimize_final_module(self) -> None:
            return

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

    class LowerCallee(passes.NativeLowering):  # type: ignore[misc]
        """Lower a function to LLVM code that others can call, without machine code."""

        _name = "callee_lowering"

        def run_pass(self, state: Any) -> bool:
            state.library = Callee(state.targetctx.codegen(), state.func_id.func_qualname)
            state.flags.no_compile = True
            super().run_pass(state)
            lowered = state["cr"]

            place = lowered.fndesc
            # Numba identifies a function by the object that Python would call; nobody calls this one.
            name = place.qualname.split(".")[-1]
            stands_for = numba._dynfunc.make_function(
                place.lookup_module(), name, "", 0, lowered.env, (state.library,)
            )
            state.targetctx.insert_user_function(stands_for, place, [state.library])
            state.library.finalize()
            state["cr"] = lowered._replace(cfunc=stands_for)
            return True

    return _ending_in(LowerCallee)


@Once
def caller_pipeline() -> Any:
    """Return the numba compiler class for functions that Python calls."""
    import llvmlite.binding
    import numba.core.codegen
    import numba.core.typed_passes

    codegen: Any = numba.core.codegen
    passes: Any = numba.core.typed_passes
    linkage = llvmlite.binding.Linkage
    # Numba's functions that count references, and free at zero. Any other `NRT_` function allocates.
    counting = ("NRT_incref", "NRT_decref", "NRT_MemInfo_call_dtor")
    no_counting = "".join(f"define void @{name}(ptr %0) {{ ret void }}\n" for name in counting[:2])

    class Caller(codegen.JITCodeLibrary):  # type: ignore[misc]
        """A library that makes its callees internal, and removes reference counts where nothing allocates."""

        def _optimize_final_module(self) -> None:
            module = self._final_module
            if not any(f.name.startswith("NRT_") and f.name not in counting for f in module.functions):
                module.link_in(llvmlite.binding.parse_assembly(no_counting))  # these replace numba's
            for function in module.functions:
                is_open = function.linkage == linkage.linkonce_odr or function.name in counting
                if is_open and not function.is_declaration:
                    function.linkage = linkage.internal
            super()._optimize_final_module()

        def _finalize_specific(self) -> None:
            # LLVM has these options for a whole process, so they hold for this module only. LLVM ends the
            # process if it does not know an option, so a numba that was not tried, or its LLVM, gets none.
            aligned = {"align-all-functions": 6, "align-all-nofallthru-blocks": 5} if _is_tried() else {}
            for name, power_of_two in aligned.items():
                llvmlite.binding.set_option("plyscope", f"-{name}={power_of_two}")
            try:
                super()._finalize_specific()
            finally:
                for name in aligned:
                    llvmlite.binding.set_option("plyscope", f"-{name}=0")

    class LowerCaller(passes.NativeLowering):  # type: ignore[misc]
        """Lower a function into a `Caller`."""

        _name = "caller_lowering"

        def run_pass(self, state: Any) -> bool:
            state.library = Caller(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return bool(super().run_pass(state))

    return _ending_in(LowerCaller)


def _ending_in(lowering: Any) -> Any:
    """Return a numba compiler class whose lowering pass is replaced by `lowering`."""
    import numba.core.compiler
    import numba.core.compiler_machinery
    import numba.core.typed_passes

    compiler: Any = numba.core.compiler
    machinery: Any = numba.core.compiler_machinery
    replaced = numba.core.typed_passes.NativeLowering
    machinery.register_pass(mutates_CFG=True, analysis_only=False)(lowering)

    class Compile(compiler.CompilerBase):  # type: ignore[misc]
        """Numba's passes, with our lowering."""

        def compile_extra(self, func: Any) -> Any:
            try:
                return super().compile_extra(func)
            except BaseException:
                give_up()
                raise

        def define_pipelines(self) -> Any:
            manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
            manager.passes = [
                (lowering, name) if made is replaced else (made, name) for made, name in manager.passes
            ]
            manager._finalized = False
            manager.finalize()
            return [manager]

    return Compile
