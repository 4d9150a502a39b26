"""Many arrays and numbers as one argument of a compiled kernel: a NamedTuple of them, passed by address.

A NamedTuple of sixty arrays costs a compiled function hundreds of machine arguments and a count of references
for each array at every call. A bundle is one pointer: a table with address and shape of each array and the
numbers, which kernels read by the same attributes (`sight.score[row]`). Its numba type carries names, types
and a digest of this file's teaching, so that machine code on disk is never that of another layout.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from engine.fingerprint import digest_code

WORDS: Final = 3
"""64-bit words a field: an array's address and its two lengths, or a number."""


class Bundle:
    """What stands for a NamedTuple in the arguments of a compiled function; keeps its arrays alive.

    Fields are C-contiguous arrays of one or two dimensions, floats, integers and booleans; other fields are
    left out, and a kernel that reads one is not compiled.
    """

    def __init__(self, values: Any) -> None:
        fields: list[str] = []
        self._table = np.zeros(WORDS * len(values), np.int64)
        self._arrays: list[Any] = []
        for name, value in zip(values._fields, values, strict=True):
            at = WORDS * len(fields)
            if isinstance(value, np.ndarray):
                assert value.flags.c_contiguous, name
                assert value.ndim in (1, 2), name
                self._arrays.append(value)
                self._table[at] = value.ctypes.data
                self._table[at + 1 : at + 1 + value.ndim] = value.shape
                access = "w" if value.flags.writeable else "r"
                fields.append(f"{name}:{access}{value.ndim}:{value.dtype.str}")
            elif isinstance(value, float):
                self._table[at : at + 1].view(np.float64)[0] = value
                fields.append(f"{name}:float")
            elif isinstance(value, int):
                self._table[at] = value
                fields.append(f"{name}:{type(value).__name__}")
        self.address = int(self._table.ctypes.data)
        self._numba_type_ = _bundle_type(f"bundle {_taught()} {' '.join(fields)}")


@cache
def _taught() -> str:
    """A digest of what this file teaches numba."""
    digest = hashlib.sha256()
    digest_code(_teach.__wrapped__.__code__, digest.update)
    return digest.hexdigest()[:16]


@cache
def _bundle_type(name: str) -> Any:
    return _teach()(name)


@cache
def _teach() -> Callable[[str], Any]:
    """Make numba know bundles; returns the class of their types."""
    import llvmlite.ir
    import numba.core.typing.templates
    import numba.extending
    import numba.np.arrayobj

    extending: Any = numba.extending
    types: Any = numba.types
    arrays: Any = numba.np.arrayobj
    templates: Any = numba.core.typing.templates
    word = llvmlite.ir.IntType(64)

    class BundleType(types.Opaque):  # type: ignore[misc]
        """The type of a bundle, by the names and types of its fields."""

        def __init__(self, name: str) -> None:
            super().__init__(name)
            self.fields: dict[str, tuple[int, Any]] = {}
            for i, field in enumerate(name.split()[2:]):
                key, kind, *dtype = field.split(":")
                self.fields[key] = (i, self._type_of(kind, dtype))

        def _type_of(self, kind: str, dtype: list[str]) -> Any:
            if dtype:
                element = numba.from_dtype(np.dtype(dtype[0]))
                return types.Array(element, int(kind[1]), "C", readonly=kind[0] == "r")
            return {"float": types.float64, "int": types.int64, "bool": types.boolean}[kind]

        def __reduce__(self) -> Any:
            return _bundle_type, (self.name,)

    extending.register_model(BundleType)(extending.models.OpaqueModel)

    @extending.unbox(BundleType)  # type: ignore[untyped-decorator]
    def unbox_bundle(typ: Any, value: Any, c: Any) -> Any:
        number = c.pyapi.object_getattr_string(value, "address")
        address = c.pyapi.long_as_longlong(number)
        c.pyapi.decref(number)
        return extending.NativeValue(c.builder.inttoptr(address, c.context.get_value_type(typ)))

    @templates.infer_getattr
    class BundleAttributes(templates.AttributeTemplate):  # type: ignore[misc]
        key = BundleType

        def generic_resolve(self, typ: Any, name: str) -> Any:
            return typ.fields[name][1] if name in typ.fields else None

    @extending.lower_getattr_generic(BundleType)  # type: ignore[untyped-decorator]
    def read_field(context: Any, builder: Any, typ: Any, value: Any, name: str) -> Any:
        index, field = typ.fields[name]
        table = builder.bitcast(value, word.as_pointer())

        def load(offset: int) -> Any:
            return builder.load(builder.gep(table, [llvmlite.ir.Constant(word, WORDS * index + offset)]))

        if isinstance(field, types.Array):
            size = context.get_abi_sizeof(context.get_data_type(field.dtype))
            array = arrays.make_array(field)(context, builder)
            shape = [load(1 + axis) for axis in range(field.ndim)]
            item = llvmlite.ir.Constant(word, size)
            strides = [item] if field.ndim == 1 else [builder.mul(shape[1], item), item]
            arrays.populate_array(
                array,
                data=builder.inttoptr(load(0), array.data.type),
                shape=shape,
                strides=strides,
                itemsize=item,
                meminfo=None,
            )
            return array._getvalue()
        if field == types.float64:
            return builder.bitcast(load(0), llvmlite.ir.DoubleType())
        if field == types.boolean:
            return builder.trunc(load(0), llvmlite.ir.IntType(1))
        return load(0)

    return BundleType
