"""The library as a Python program sees it: functions by name, with the signatures of interface/aclnn.tsv."""

import csv
import ctypes
import os
import pathlib

import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]

DTYPES = {
    torch.float32: 0,
    torch.float16: 1,
    torch.int8: 2,
    torch.int32: 3,
    torch.uint8: 4,
    torch.int16: 6,
    torch.int64: 9,
    torch.float64: 11,
    torch.bool: 12,
    torch.complex64: 16,
    torch.complex128: 17,
    torch.bfloat16: 27,
}
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
ACL_FORMAT_ND = 2

library = ctypes.CDLL(os.environ["ACLVK_LIBRARY"])
pointer = ctypes.c_void_p
for creator in (
    "aclCreateTensor",
    "aclCreateScalar",
    "aclCreateIntArray",
    "aclCreateFloatArray",
    "aclCreateBoolArray",
    "aclCreateTensorList",
    "aclCreateScalarList",
    "aclGetRecentErrMsg",
):
    getattr(library, creator).restype = pointer


def message():
    text = library.aclGetRecentErrMsg()
    return ctypes.string_at(text).decode() if text else "no message"


class Refused(Exception):
    def __init__(self, function, code):
        super().__init__(f"{function} answers {code}: {message()}")
        self.code = code


def call(function, *arguments):
    code = getattr(library, function)(*arguments)
    if code:
        raise Refused(function, code)


def new(function, *arguments):
    handle = pointer()
    call(function, ctypes.byref(handle), *arguments)
    return handle


def array_of(kind, values):
    return (kind * len(values))(*values)


class Memory:
    """Device memory."""

    def __init__(self, size):
        self.size = size
        self.address = new("aclrtMalloc", ctypes.c_size_t(max(size, 1)), 0)

    def write(self, source):
        if self.size:
            call(
                "aclrtMemcpy",
                self.address,
                ctypes.c_size_t(self.size),
                pointer(source),
                ctypes.c_size_t(self.size),
                HOST_TO_DEVICE,
            )

    def read(self, target):
        if self.size:
            call(
                "aclrtMemcpy",
                pointer(target),
                ctypes.c_size_t(self.size),
                self.address,
                ctypes.c_size_t(self.size),
                DEVICE_TO_HOST,
            )

    def free(self):
        call("aclrtFree", self.address)


class Tensor:
    """An aclTensor with the shape, strides and offset of a torch tensor, in memory of the size of its storage."""

    def __init__(self, of):
        self.host = of
        self.elements = max(of.storage().size(), 1)
        self.memory = Memory(self.elements * of.element_size())
        i64 = ctypes.c_int64
        self.handle = pointer(
            library.aclCreateTensor(
                array_of(i64, of.shape),
                ctypes.c_uint64(of.dim()),
                DTYPES[of.dtype],
                array_of(i64, of.stride()),
                i64(of.storage_offset()),
                ACL_FORMAT_ND,
                array_of(i64, [self.elements]),
                ctypes.c_uint64(1),
                self.memory.address,
            )
        )

    def write(self):
        if self.host.storage().size():
            self.memory.write(self.host.storage().data_ptr())

    def result(self):
        whole = torch.empty(self.elements, dtype=self.host.dtype)
        self.memory.read(whole.data_ptr())
        return whole.as_strided(self.host.shape, self.host.stride(), self.host.storage_offset())

    def free(self):
        library.aclDestroyTensor(self.handle)
        self.memory.free()


def scalar(value):
    """An aclScalar of the type that torch gives a Python number."""
    dtype = {bool: torch.bool, int: torch.int64, float: torch.float32, complex: torch.complex64}[type(value)]
    holder = torch.tensor(value, dtype=dtype)
    return pointer(library.aclCreateScalar(pointer(holder.data_ptr()), DTYPES[dtype]))


def attribute(kind, value, keep):
    """The argument of a C type, made of a Python value; `keep` gets what must be destroyed."""
    if value is None:
        return pointer()
    if kind == "aclScalar":
        handle, end = scalar(value), library.aclDestroyScalar
    elif kind == "aclIntArray":
        handle, end = (
            pointer(library.aclCreateIntArray(array_of(ctypes.c_int64, value), ctypes.c_uint64(len(value)))),
            library.aclDestroyIntArray,
        )
    elif kind == "aclFloatArray":
        handle, end = (
            pointer(library.aclCreateFloatArray(array_of(ctypes.c_float, value), ctypes.c_uint64(len(value)))),
            library.aclDestroyFloatArray,
        )
    elif kind == "aclBoolArray":
        handle, end = (
            pointer(library.aclCreateBoolArray(array_of(ctypes.c_bool, value), ctypes.c_uint64(len(value)))),
            library.aclDestroyBoolArray,
        )
    elif kind == "aclScalarList":
        scalars = [scalar(one) for one in value]
        handle, end = (
            pointer(
                library.aclCreateScalarList(
                    array_of(pointer, [one.value for one in scalars]), ctypes.c_uint64(len(value))
                )
            ),
            library.aclDestroyScalarList,
        )
    elif kind == "aclDataType":
        return ctypes.c_int(DTYPES[value])
    elif kind == "char":
        return ctypes.c_char_p(value.encode())
    else:
        plain = {
            "int64_t": ctypes.c_int64,
            "uint64_t": ctypes.c_uint64,
            "int": ctypes.c_int,
            "int32_t": ctypes.c_int32,
            "uint32_t": ctypes.c_uint32,
            "int8_t": ctypes.c_int8,
            "float": ctypes.c_float,
            "double": ctypes.c_double,
            "bool": ctypes.c_bool,
        }
        return plain[kind](value)
    keep.append(lambda: end(handle))
    return handle


class Parameter:
    def __init__(self, text):
        words = text.replace("*", " * ").split()
        self.name = words[-1]
        declared_output = self.name.endswith(("out", "Out")) and self.name != "gradOut"  # a few declare outputs const
        self.constant = words[0] == "const" and not declared_output and self.name not in ("z", "dx", "gradInput", "gradIn")
        self.kind = next(word for word in words if word != "const")
        self.in_place = False

    @property
    def is_tensor(self):
        return self.kind == "aclTensor"

    @property
    def is_list(self):
        return self.kind == "aclTensorList"


def rows_of(table):
    with open(ROOT / "interface" / table, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_signature(row):
    # The last two are where the first phase answers.
    parameters = [Parameter(text) for text in row["GetWorkspaceSize_parameters"].split(",") if text.strip()][:-2]
    in_place = "Inplace" in row["op"]  # the operand is not always called selfRef, nor the others const
    for position, parameter in enumerate(parameters):
        parameter.in_place = (in_place and position == 0) or parameter.name.endswith("Ref")
        parameter.constant = parameter.constant or (in_place and position > 0)
    return parameters


SIGNATURES = {row["op"]: read_signature(row) for row in rows_of("aclnn.tsv")}
TORCH_DTYPES = {
    "FLOAT": torch.float32,
    "FLOAT16": torch.float16,
    "BF16": torch.bfloat16,
    "DOUBLE": torch.float64,
    "INT8": torch.int8,
    "UINT8": torch.uint8,
    "INT16": torch.int16,
    "INT32": torch.int32,
    "INT64": torch.int64,
    "BOOL": torch.bool,
    "COMPLEX64": torch.complex64,
    "COMPLEX128": torch.complex128,
}


# Of the operator's inputs, as far as torch has them.
DTYPES_OF = {
    row["op"]: [TORCH_DTYPES[one] for one in row["dtypes_in"].split(",") if one in TORCH_DTYPES]
    for row in rows_of("operators.tsv")
}


class TensorList:
    def __init__(self, tensors):
        self.tensors = [Tensor(one) for one in tensors]
        handles = array_of(pointer, [one.handle.value for one in self.tensors])
        self.handle = pointer(library.aclCreateTensorList(handles, ctypes.c_uint64(len(tensors))))

    def write(self):
        for one in self.tensors:
            one.write()

    def result(self):
        return [one.result() for one in self.tensors]

    def free(self):
        library.aclDestroyTensorList(self.handle)  # destroys the tensors in it as well
        for one in self.tensors:
            one.memory.free()


class Session:
    """A device with a stream."""

    def __enter__(self):
        call("aclInit", None)
        call("aclrtSetDevice", 0)
        self.stream = new("aclrtCreateStream")
        return self

    def __exit__(self, *_):
        call("aclrtDestroyStream", self.stream)
        call("aclrtResetDevice", 0)
        call("aclFinalize")

    def synchronize(self):
        call("aclrtSynchronizeStream", self.stream)

    def launch(self, name, arguments):
        """Both phases. The workspace, or None; it must live until the work is done."""
        size, executor = ctypes.c_uint64(), pointer()
        call(name + "GetWorkspaceSize", *arguments, ctypes.byref(size), ctypes.byref(executor))
        workspace = Memory(size.value) if size.value else None
        call(name, workspace.address if workspace else pointer(), size, executor, self.stream)
        return workspace

    def run(self, name, arguments, operands):
        for operand in operands:
            operand.write()
        workspace = self.launch(name, arguments)
        self.synchronize()
        if workspace:
            workspace.free()

    def replay(self, name, arguments, operands):
        """The operands get their values after the capture, so only the replay can have seen them."""
        relaxed = ctypes.c_int(2)
        call("aclmdlRICaptureBegin", self.stream, relaxed)
        model = pointer()
        try:
            workspace = self.launch(name, arguments)
        finally:
            call("aclmdlRICaptureEnd", self.stream, ctypes.byref(model))
        for operand in operands:
            operand.write()
        call("aclmdlRIExecuteAsync", model, self.stream)
        self.synchronize()
        call("aclmdlRIDestroy", model)
        if workspace:
            workspace.free()


def is_built(name):
    return hasattr(library, name + "GetWorkspaceSize")
