"""The tensors in a pickle, found by walking its opcodes: nothing is imported, nothing is called, no object is made.

A small machine follows the stack as far as shapes need it. What the pickle would call is told by name.
"""

from __future__ import annotations

import io
import math
import pickletools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from readproof.submit.problems import UnreadableError

# how many numbers a shape stands for, where the shape may be a trap: a product of a million numbers takes hours
MOST_RANK = 32
_LARGEST = 1 << 48


def elements(shape: Sequence[int]) -> int:
    """The number of elements; refused where no tensor has such a shape."""
    if len(shape) > MOST_RANK or any(size < 0 or size > _LARGEST for size in shape):
        raise UnreadableError("M306", reason=f"shape of {len(shape)}: {list(map(min, shape[:4], [_LARGEST] * 4))}…")
    return math.prod(shape)


# What the names in a pickle are worth: exact lists, because a name that is almost right can run anything.


# what was put on the stack by something that is not a name
UNNAMED = "?.?"

# bytes of one element
DTYPES = {
    "float64": 8, "float32": 4, "float16": 2, "bfloat16": 2, "float8_e4m3fn": 1, "float8_e4m3fnuz": 1,
    "float8_e5m2": 1, "float8_e5m2fnuz": 1, "float8_e8m0fnu": 1, "float4_e2m1fn_x2": 1, "complex32": 4,
    "complex64": 8, "complex128": 16, "int64": 8, "int32": 4, "int16": 2, "int8": 1, "uint64": 8, "uint32": 4,
    "uint16": 2, "uint8": 1, "bool": 1, "qint8": 1, "quint8": 1, "qint32": 4, "quint4x2": 1, "quint2x4": 1,
    "bits8": 1, "bits16": 2, "bits1x8": 1, "bits2x4": 1, "bits4x2": 1,
    **{f"{sign}int{bits}": 1 for sign in ("", "u") for bits in range(1, 8)},
}  # fmt: skip
STORAGES = {
    "Double": 8, "Float": 4, "Half": 2, "BFloat16": 2, "Long": 8, "Int": 4, "Short": 2, "Char": 1, "Byte": 1,
    "Bool": 1, "QInt8": 1, "QUInt8": 1, "QInt32": 4, "QUInt4x2": 1, "QUInt2x4": 1, "ComplexFloat": 8,
    "ComplexDouble": 16, "Untyped": 1,
}  # fmt: skip

REBUILD_V3 = "torch._utils._rebuild_tensor_v3"
# each of them is called with a storage, an offset and a shape
REBUILDS = frozenset(
    (
        "torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v2", REBUILD_V3, "torch._utils._rebuild_qtensor",
    )
)  # fmt: skip
# calls its first argument with its third
REBUILD_TYPE = "torch._tensor._rebuild_from_type_v2"
_REBUILDS_OF_TENSORS = (
    "parameter", "parameter_with_state", "sparse_tensor", "sparse_csr_tensor", "nested_tensor", "wrapper_subclass",
    "meta_tensor_no_storage", "device_tensor_from_numpy", "device_tensor_from_cpu_tensor", "xla_tensor",
)  # fmt: skip
_CONSTANTS = (
    "per_tensor_affine", "per_tensor_symmetric", "per_channel_affine", "per_channel_symmetric",
    "per_channel_affine_float_qparams", "contiguous_format", "channels_last", "channels_last_3d", "preserve_format",
    "strided", "sparse_coo",
)  # fmt: skip

# calls that only put tensors together
_HARMLESS = frozenset(
    (
        "collections.OrderedDict", "collections.defaultdict", "collections.Counter", "torch.Size", "torch.device",
        "torch.nn.parameter.Parameter", "torch.storage.UntypedStorage", "torch.storage.TypedStorage",
        "torch.serialization._get_layout", "torch.Tensor", "builtins.set", "builtins.dict", "builtins.list",
        "builtins.int", "builtins.float", "builtins.str", "builtins.bool", "__builtin__.set", "__builtin__.dict",
        "__builtin__.list", "_codecs.encode", "argparse.Namespace", "numpy.dtype", "numpy.ndarray",
        "numpy.core.multiarray.scalar", "numpy.core.multiarray._reconstruct", "numpy._core.multiarray.scalar",
        "numpy._core.multiarray._reconstruct", REBUILD_TYPE, *REBUILDS,
        *(f"torch._utils._rebuild_{one}" for one in _REBUILDS_OF_TENSORS),
        *(f"torch.{one}Storage" for one in STORAGES), *(f"torch.{one}" for one in (*DTYPES, *_CONSTANTS)),
    )
)  # fmt: skip
_BUILT_IN = ("builtins", "__builtin__")
_RUNNING = frozenset(
    (
        "os", "posix", "nt", "subprocess", "sys", "shutil", "socket", "runpy", "importlib", "ctypes", "pty", "code",
        "codeop", "webbrowser", "multiprocessing", "threading", "asyncio", "signal", "pickle", "_pickle", "marshal",
        "types", "functools", "operator", "inspect", "tempfile", "pathlib", "io", "urllib", "http", "requests",
        "commands", "timeit", "cProfile", "profile", "bdb", "pdb", "trace", "platform", "pip", "site", "gc", "atexit",
    )
)  # fmt: skip


def is_harmless(name: str) -> bool:
    """Whether it is a plain value, or a call that only puts tensors together."""
    return name in _HARMLESS


def would_run(name: str) -> bool:
    """Whether the name alone says that something is run; a name that is made up on the way hides what it is."""
    module = name.rpartition(".")[0]
    known = module in _BUILT_IN or module.partition(".")[0] in _RUNNING or name == UNNAMED
    return known and name not in _HARMLESS


_MOST_OPCODES = 400_000
_MOST_TENSORS = 100_000

_MARK = object()
_OTHER = object()


@dataclass(frozen=True, slots=True)
class Storage:
    """Bytes that tensors share; `key` is the name of the member they lie in."""

    kind: str
    key: str
    count: int


@dataclass(frozen=True, slots=True)
class Name:
    """Something the pickle would import."""

    full: str


@dataclass(slots=True)
class Pickle:
    """What is in a pickle: distinct tensors with their sizes, storages, what would be imported and what called."""

    tensors: dict[tuple[str, int, tuple[int, ...]], Storage] = field(default_factory=dict)
    storages: dict[str, Storage] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)
    called: dict[str, None] = field(default_factory=dict)

    def parameters(self, is_weight: Callable[[str], bool]) -> int:
        return sum(elements(shape) for (_, _, shape), one in self.tensors.items() if is_weight(one.kind))

    def running(self) -> list[str]:
        """Calls that would run something: of whatever is not known to be harmless."""
        return [name for name in self.names | self.called if self._runs(name)]

    def foreign(self) -> list[str]:
        """Classes that are neither plain values nor tensors."""
        return [name for name in self.names if not self._runs(name) and not is_harmless(name)]

    def _runs(self, name: str) -> bool:
        return would_run(name) or (name in self.called and not is_harmless(name))


def read_pickle(data: io.BytesIO, found: Pickle) -> None:
    """Walk one pickle to its end; refused where it is broken or has no end."""
    machine = _Machine(found)
    try:
        for number, (opcode, argument, _) in enumerate(pickletools.genops(data)):
            if number > _MOST_OPCODES:
                raise UnreadableError("M306", reason="a pickle without end")
            machine.step(opcode.name, argument)
    except UnreadableError:
        raise
    except (ValueError, IndexError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise UnreadableError("M306", reason=f"pickle: {type(error).__name__}") from None


class _Machine:
    """A stack of plain values; all that is not understood is one opaque thing."""

    def __init__(self, found: Pickle) -> None:
        self._found = found
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def step(self, name: str, argument: Any) -> None:
        action = _ACTIONS.get(name)
        if action is not None:
            action(self, argument)
        elif name in _PLAIN:
            self._stack.append(argument)
        elif name not in _NOTHING:
            self._stack.append(_OTHER)

    def global_(self, argument: str) -> None:
        self._named(argument.replace(" ", "."))

    def stack_global(self, _argument: Any) -> None:
        last, module = self._stack.pop(), self._stack.pop()
        self._named(f"{module}.{last}" if isinstance(module, str) and isinstance(last, str) else UNNAMED)

    def inst(self, argument: str) -> None:
        self._since_mark()
        self._named(argument.replace(" ", "."))
        self._call(self._stack.pop())
        self._stack.append(_OTHER)

    def obj(self, _argument: Any) -> None:
        self._call(self._since_mark()[0])
        self._stack.append(_OTHER)

    def reduce(self, _argument: Any) -> None:
        arguments, called = self._stack.pop(), self._stack.pop()
        self._stack.append(self._made(called, arguments))

    def new(self, _argument: Any) -> None:
        self._stack.pop()
        # without a call of the class: its name is told like any other
        if not isinstance(self._stack.pop(), Name):
            self._call(_OTHER)
        self._stack.append(_OTHER)

    def new_with_names(self, argument: Any) -> None:
        self._stack.pop()
        self.new(argument)

    def build(self, _argument: Any) -> None:
        self._stack.pop()
        # a class or a function would be changed, not a thing made from it
        if isinstance(self._stack[-1], Name):
            self._call(_OTHER)

    def kept(self, argument: Any) -> None:
        self._memo[int(argument)] = self._stack[-1]

    def memoised(self, _argument: Any) -> None:
        self._memo[len(self._memo)] = self._stack[-1]

    def got(self, argument: Any) -> None:
        self._stack.append(self._memo[int(argument)])

    def tuple_(self, _argument: Any) -> None:
        self._stack.append(tuple(self._since_mark()))

    def empty_tuple(self, _argument: Any) -> None:
        self._stack.append(())

    def of(self, count: int) -> None:
        taken = tuple(self._stack[-count:])
        if len(taken) < count:
            raise IndexError
        del self._stack[-count:]
        self._stack.append(taken)

    def dropped(self, _argument: Any) -> None:
        self._since_mark()

    def replaced(self, _argument: Any) -> None:
        self._since_mark()
        self._stack.append(_OTHER)

    def persistent(self, _argument: Any) -> None:
        self._stack.append(self._storage(self._stack.pop()))

    def popped(self, _argument: Any) -> None:
        self._stack.pop()

    def popped_two(self, _argument: Any) -> None:
        self._stack.pop()
        self._stack.pop()

    def doubled(self, _argument: Any) -> None:
        self._stack.append(self._stack[-1])

    def marked(self, _argument: Any) -> None:
        self._stack.append(_MARK)

    def true(self, _argument: Any) -> None:
        self._stack.append(True)

    def false(self, _argument: Any) -> None:
        self._stack.append(False)

    def _named(self, full: str) -> None:
        self._found.names[full] = None
        self._stack.append(Name(full))

    def _call(self, called: Any) -> str:
        name = called.full if isinstance(called, Name) else UNNAMED
        self._found.called[name] = None
        return name

    def _since_mark(self) -> list[Any]:
        for at in range(len(self._stack) - 1, -1, -1):
            if self._stack[at] is _MARK:
                taken = self._stack[at + 1 :]
                del self._stack[at:]
                return taken
        raise IndexError

    def _storage(self, identity: Any) -> Any:
        if isinstance(identity, tuple) and len(identity) > 1 and identity[0] == "module":
            # the old format wraps a class with its source
            return identity[1]
        if not isinstance(identity, tuple) or len(identity) < 5 or identity[0] != "storage":
            return _OTHER
        kind, key, count = identity[1], identity[2], identity[4]
        if not isinstance(kind, Name) or not isinstance(key, str) or not isinstance(count, int):
            return _OTHER
        storage = Storage(kind.full.rpartition(".")[2].removesuffix("Storage"), key, count)
        return self._found.storages.setdefault(key, storage)

    def _made(self, called: Any, arguments: Any) -> Any:
        name = self._call(called)
        if not isinstance(arguments, tuple) or len(arguments) < 3:
            return _OTHER
        if name == REBUILD_TYPE:
            return self._made(arguments[0], arguments[2])
        if name in REBUILDS:
            storage, offset, shape = arguments[:3]
            self._tensor(storage, offset, shape, arguments[6] if name == REBUILD_V3 and len(arguments) > 6 else None)
        return _OTHER

    def _tensor(self, storage: Any, offset: Any, shape: Any, dtype: Any) -> None:
        whole = isinstance(shape, tuple) and all(isinstance(size, int) and size >= 0 for size in shape)
        if not isinstance(storage, Storage) or not isinstance(offset, int) or not whole:
            return
        if isinstance(dtype, Name):
            kind = dtype.full.rpartition(".")[2]
            storage = Storage(kind, storage.key, storage.count // DTYPES.get(kind, 1))
        if len(self._found.tensors) < _MOST_TENSORS:
            self._found.tensors[storage.key, offset, shape] = storage


_Action = Callable[[_Machine, Any], None]

_ACTIONS: dict[str, _Action] = {
    "GLOBAL": _Machine.global_,
    "STACK_GLOBAL": _Machine.stack_global,
    "INST": _Machine.inst,
    "OBJ": _Machine.obj,
    "REDUCE": _Machine.reduce,
    "NEWOBJ": _Machine.new,
    "NEWOBJ_EX": _Machine.new_with_names,
    "BUILD": _Machine.build,
    "PUT": _Machine.kept,
    "BINPUT": _Machine.kept,
    "LONG_BINPUT": _Machine.kept,
    "MEMOIZE": _Machine.memoised,
    "GET": _Machine.got,
    "BINGET": _Machine.got,
    "LONG_BINGET": _Machine.got,
    "TUPLE": _Machine.tuple_,
    "EMPTY_TUPLE": _Machine.empty_tuple,
    "TUPLE1": lambda machine, _: machine.of(1),
    "TUPLE2": lambda machine, _: machine.of(2),
    "TUPLE3": lambda machine, _: machine.of(3),
    "SETITEMS": _Machine.dropped,
    "APPENDS": _Machine.dropped,
    "ADDITEMS": _Machine.dropped,
    "POP_MARK": _Machine.dropped,
    "LIST": _Machine.replaced,
    "DICT": _Machine.replaced,
    "FROZENSET": _Machine.replaced,
    "BINPERSID": _Machine.persistent,
    "APPEND": _Machine.popped,
    "POP": _Machine.popped,
    "STOP": _Machine.popped,
    "SETITEM": _Machine.popped_two,
    "DUP": _Machine.doubled,
    "MARK": _Machine.marked,
    "NEWTRUE": _Machine.true,
    "NEWFALSE": _Machine.false,
}
_PLAIN = frozenset(
    (
        "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE",
        "BINUNICODE8", "STRING", "BINSTRING", "SHORT_BINSTRING",
    )
)  # fmt: skip
_NOTHING = frozenset(("PROTO", "FRAME", "READONLY_BUFFER"))
