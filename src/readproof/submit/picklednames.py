"""What the names in a pickle are worth: exact lists, because a name that is almost right can run anything."""

from __future__ import annotations

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
