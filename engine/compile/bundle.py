"""Many arrays and numbers as one argument of a compiled kernel: a NamedTuple of them, passed by address.

A NamedTuple of sixty arrays costs a compiled function hundreds of machine arguments, and a reference count
for each array at every call. A bundle is one pointer to a table with the address and shape of each array and
the numbers. Kernels read them by the same attributes (`sight.score[row]`). The bundle's numba type carries a
digest of names, types and the numba extensions in this file, so cached code never has another layout.

An array of a bundle can do less than numpy's: a kernel may read and write its items, one index a dimension,
and ask its `len` and `shape`. Indices are not checked and do not count from the end, so one item is one
instruction. An array that is read-only outside is read-only here, so the compiler may reuse what it has read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from plyscope.engine.compile.fingerprint import digest_code
from plyscope.engine.compile.once import Once

WORDS: Final = 3
"""64-bit words a field: an array's address and its two lengths, or a number."""


class Bundle:
    """A NamedTuple in the form in which a compiled function takes it; keeps its arrays alive.

    Fields are C-contiguous arrays of one or two dimensions, floats, integers and booleans. Other fields are
    left out; a kernel that reads one does not compile.
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
        self._numba_type_ = _bundle_type(" ".join(fields))


@cache
def _taught() -> str:
    """Return a digest of this file's extensions of numba."""
    digest = hashlib.sha256()
    for teach in (_teach_items, _teach_bundles):
        digest_code(teach.code, digest.update)
    return digest.hexdigest()


@cache
def _bundle_type(fields: str) -> Any:
    return _teach_bundles()(fields)


@cache
def _items_type(dtype: str, ndim: int, writeable: bool) -> Any:
    return _teach_items()(dtype, ndim, writeable)


@Once
def _teach_items() -> Callable[[str, int, bool], Any]:
    """Register the arrays of bundles with numba, and return the class of their types."""
    import operator

    import numba.core.cgutils
    import numba.core.imputils
    import numba.core.typing.templates
    import numba.extending

    extending: Any = numba.extending
    types: Any = numba.types
    cgutils: Any = numba.core.cgutils
    lower: Any = numba.core.imputils.lower_builtin
    templates: Any = numba.core.typing.templates

    class Items(types.Type):  # type: ignore[misc]
        """The type of an array in a bundle: address and lengths, nothing to count or to free."""

        def __init__(self, dtype: str, ndim: int, writeable: bool) -> None:
            super().__init__(f"items {dtype} {ndim} {writeable}")
            self.dtype = numba.from_dtype(np.dtype(dtype))
            self.ndim = ndim
            self.writeable = writeable
            self.index = types.intp if ndim == 1 else types.UniTuple(types.intp, ndim)

        def __reduce__(self) -> Any:
            dtype, ndim, writeable = self.name.split()[1:]
            return _items_type, (dtype, int(ndim), writeable == "True")

    @extending.register_model(Items)
    class ItemsModel(extending.models.StructModel):  # type: ignore[misc]
        def __init__(self, manager: Any, typ: Any) -> None:
            shape = types.UniTuple(types.intp, typ.ndim)
            super().__init__(manager, typ, [("data", types.CPointer(typ.dtype)), ("shape", shape)])

    extending.make_attribute_wrapper(Items, "shape", "shape")

    @templates.infer_global(operator.getitem)
    class GetItem(templates.AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:
            items, index = args
            if isinstance(items, Items) and _fits(items, index):
                return templates.signature(items.dtype, items, items.index)
            return None

    @templates.infer_global(operator.setitem)
    class SetItem(templates.AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:
            items, index, _ = args
            if isinstance(items, Items) and items.writeable and _fits(items, index):
                return templates.signature(types.none, items, items.index, items.dtype)
            return None

    @templates.infer_global(len)
    class Length(templates.AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:
            return templates.signature(types.intp, args[0]) if isinstance(args[0], Items) else None

    def _fits(items: Any, index: Any) -> bool:
        if items.ndim == 1:
            return isinstance(index, types.Integer)
        return isinstance(index, types.BaseTuple) and len(index) == items.ndim

    def address(context: Any, builder: Any, typ: Any, value: Any, index: Any) -> Any:
        items = cgutils.create_struct_proxy(typ)(context, builder, value=value)
        if typ.ndim == 2:
            row, column = cgutils.unpack_tuple(builder, index)
            index = builder.add(builder.mul(row, builder.extract_value(items.shape, 1)), column)
        return builder.gep(items.data, [index])

    def get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        typ = sig.args[0]
        place = address(context, builder, typ, *args)
        value = builder.load(place)
        if not typ.writeable:
            value.set_metadata("invariant.load", builder.module.add_metadata([]))
        return context.data_model_manager[typ.dtype].from_data(builder, value)

    def put(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        items, index, value = args
        place = address(context, builder, sig.args[0], items, index)
        builder.store(context.data_model_manager[sig.args[2]].as_data(builder, value), place)
        return context.get_dummy_value()

    def length(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        items = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
        return builder.extract_value(items.shape, 0)

    for index in (types.Integer, types.BaseTuple):
        lower(operator.getitem, Items, index)(get)
        lower(operator.setitem, Items, index, types.Any)(put)
    lower(len, Items)(length)
    return Items


@Once
def _teach_bundles() -> Callable[[str], Any]:
    """Register bundles with numba, and return the class of their types."""
    import llvmlite.ir
    import numba.core.cgutils
    import numba.core.typing.templates
    import numba.extending

    extending: Any = numba.extending
    types: Any = numba.types
    cgutils: Any = numba.core.cgutils
    templates: Any = numba.core.typing.templates
    word = llvmlite.ir.IntType(64)

    class BundleType(types.Opaque):  # type: ignore[misc]
        """The type of a bundle, by the names and types of its fields."""

        def __init__(self, fields: str) -> None:
            digest = hashlib.sha256((_taught() + fields).encode())
            super().__init__(f"bundle {digest.hexdigest()[:32]}")
            self.written = fields
            self.fields: dict[str, tuple[int, Any]] = {}
            for i, field in enumerate(fields.split()):
                key, kind, *dtype = field.split(":")
                self.fields[key] = (i, self._type_of(kind, dtype))

        def _type_of(self, kind: str, dtype: list[str]) -> Any:
            if dtype:
                return _items_type(dtype[0], int(kind[1]), kind[0] == "w")
            return {"float": types.float64, "int": types.int64, "bool": types.boolean}[kind]

        def __reduce__(self) -> Any:
            return _bundle_type, (self.written,)

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
            place = builder.gep(table, [llvmlite.ir.Constant(word, WORDS * index + offset)])
            loaded = builder.load(place)
            loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
            return loaded

        if field == types.float64:
            return builder.bitcast(load(0), llvmlite.ir.DoubleType())
        if field == types.boolean:
            return builder.trunc(load(0), llvmlite.ir.IntType(1))
        if field == types.int64:
            return load(0)
        items = cgutils.create_struct_proxy(field)(context, builder)
        items.data = builder.inttoptr(load(0), items.data.type)
        items.shape = cgutils.pack_array(builder, [load(1 + axis) for axis in range(field.ndim)])
        return items._getvalue()

    return BundleType
