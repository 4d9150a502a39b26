"""Compile what compiled kernels call: to LLVM's own language, not to machine code.

Numba compiles every function whole: wrappers for calls from Python and C, optimised, machine code. A kernel
that only kernels call needs none of that; its caller takes it in and is optimised as one. So a kernel with a
hundred callees compiles several times faster, to the same code.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def callee_pipeline() -> Any:
    """The class of numba's compiler for functions that only compiled functions call."""
    import numba._dynfunc
    import numba.core.codegen
    import numba.core.compiler
    import numba.core.compiler_machinery
    import numba.core.typed_passes

    compiler: Any = numba.core.compiler
    passes: Any = numba.core.typed_passes
    codegen: Any = numba.core.codegen
    register: Any = numba.core.compiler_machinery.register_pass

    class Callee(codegen.JITCodeLibrary):  # type: ignore[misc]
        """A library that is there to be linked into others."""

        def _optimize_final_module(self) -> None:
            return

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

    @register(mutates_CFG=True, analysis_only=False)
    class LowerCallee(passes.NativeLowering):  # type: ignore[misc]
        """Lower a function and let others call it, without machine code."""

        _name = "callee_lowering"

        def run_pass(self, state: Any) -> bool:
            state.library = Callee(state.targetctx.codegen(), state.func_id.func_qualname)
            state.flags.no_compile = True
            super().run_pass(state)
            lowered = state["cr"]

            place = lowered.fndesc
            # Numba tells functions apart by what Python would call; nobody calls this one.
            name = place.qualname.split(".")[-1]
            stands_for = numba._dynfunc.make_function(
                place.lookup_module(), name, "", 0, lowered.env, (state.library,)
            )
            state.targetctx.insert_user_function(stands_for, place, [state.library])
            state.library.finalize()
            state["cr"] = lowered._replace(cfunc=stands_for)
            return True

    class CompileCallee(compiler.CompilerBase):  # type: ignore[misc]
        """Numba's passes, the last one ours."""

        def define_pipelines(self) -> Any:
            manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
            manager.passes = [
                (LowerCallee, name) if made is passes.NativeLowering else (made, name)
                for made, name in manager.passes
            ]
            manager._finalized = False
            manager.finalize()
            return [manager]

    return CompileCallee
