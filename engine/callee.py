"""Compile a kernel together with what it calls, as numba does not.

Numba compiles every function whole: wrappers for calls from Python and C, optimised, machine code. A kernel
that only kernels call needs none of that; its caller takes it in and is optimised as one. So a kernel with a
hundred callees compiles several times faster, to the same code.

What the caller took in, numba leaves open to whoever else might call it. Here it is the caller's own: what is
called from one place is dissolved there, and arguments that nobody reads are not passed, such as most of the
seven that make up an array. And where nothing is allocated, nothing is freed, and no references are counted.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def callee_pipeline() -> Any:
    """The class of numba's compiler for functions that only compiled functions call."""
    import numba._dynfunc
    import numba.core.codegen
    import numba.core.typed_passes

    codegen: Any = numba.core.codegen
    passes: Any = numba.core.typed_passes

    class Callee(codegen.JITCodeLibrary):  # type: ignore[misc]
        """A library that is there to be linked into others."""

        def _optimize_final_module(self) -> None:
            return

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

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

    return _ending_in(LowerCallee)


@cache
def caller_pipeline() -> Any:
    """The class of numba's compiler for functions that Python calls."""
    import llvmlite.binding
    import numba.core.codegen
    import numba.core.typed_passes

    codegen: Any = numba.core.codegen
    passes: Any = numba.core.typed_passes
    linkage = llvmlite.binding.Linkage
    # Numba's functions that count, and that free at no count; any other whose name begins so makes something.
    counting = ("NRT_incref", "NRT_decref", "NRT_MemInfo_call_dtor")
    no_counting = "".join(f"define void @{name}(ptr %0) {{ ret void }}\n" for name in counting[:2])

    class Caller(codegen.JITCodeLibrary):  # type: ignore[misc]
        """A library that has what it calls to itself."""

        def _optimize_final_module(self) -> None:
            module = self._final_module
            if not any(f.name.startswith("NRT_") and f.name not in counting for f in module.functions):
                module.link_in(llvmlite.binding.parse_assembly(no_counting))  # these stand above numba's
            for function in module.functions:
                is_open = function.linkage == linkage.linkonce_odr or function.name in counting
                if is_open and not function.is_declaration:
                    function.linkage = linkage.internal
            super()._optimize_final_module()

    class LowerCaller(passes.NativeLowering):  # type: ignore[misc]
        """Lower a function into a library of ours."""

        _name = "caller_lowering"

        def run_pass(self, state: Any) -> bool:
            state.library = Caller(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return bool(super().run_pass(state))

    return _ending_in(LowerCaller)


def _ending_in(lowering: Any) -> Any:
    """Numba's passes, with this one in place of its lowering."""
    import numba.core.compiler
    import numba.core.compiler_machinery
    import numba.core.typed_passes

    compiler: Any = numba.core.compiler
    machinery: Any = numba.core.compiler_machinery
    replaced = numba.core.typed_passes.NativeLowering
    machinery.register_pass(mutates_CFG=True, analysis_only=False)(lowering)

    class Compile(compiler.CompilerBase):  # type: ignore[misc]
        """Numba's passes, the last one ours."""

        def define_pipelines(self) -> Any:
            manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
            manager.passes = [
                (lowering, name) if made is replaced else (made, name) for made, name in manager.passes
            ]
            manager._finalized = False
            manager.finalize()
            return [manager]

    return Compile
