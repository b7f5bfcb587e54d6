"""Operators against torch: a table's line is an operator, its meaning in torch, its dtypes and its attributes.

    op("Celu", torch.celu, alpha=1.3)

The signature (interface/aclnn.tsv) says which parameters are tensors, interface/operators.tsv which dtypes there are. Inputs are made for each
dtype in several shapes and views; torch computes in double precision, and what the operator answers is compared with that, directly, and
captured and replayed.

What takes the time is the driver's compiling of a kernel for each dtype. So a line runs with its first dtype and two more, others for
each line; GOLDEN_ALL=1 in the environment runs all of them.
"""

import os
import sys
import zlib

import torch

import acl

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
REALS = FLOATS + (torch.float64,)
INTEGERS = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)
COMPLEX = (torch.complex64, torch.complex128)
BOOL = (torch.bool,)

# The strict reading of spec/operators.md, section 3: all elements within ten times the mean relative error.
RELATIVE = {
    torch.float16: 2.0**-9,
    torch.bfloat16: 2.0**-6,
    torch.float32: 2.0**-16,
    torch.float64: 2.0**-44,
    torch.complex64: 2.0**-16,
    torch.complex128: 2.0**-44,
}
WIDE = {
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.float32: torch.float64,
    torch.complex64: torch.complex128,
}

ROW = (1009,)
SHAPES = [(7, 11, 5), ROW, (), (0, 3), (3, 1, 2)]
BROADCAST = [((7, 1, 5), (11, 1)), ((13,), ()), ((1,), (3, 0))]
SPECIAL = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1.0, -1.0, 0.5, -0.5]


# How many dtypes of a line run; all of them have their turn in the tests of the operators themselves.
FEW = None if os.environ.get("GOLDEN_ALL") else 2


class Mismatch(Exception):
    pass


# --- inputs ---


def values(shape, dtype, domain, generator):
    """Seeded values of the domain; a few special ones among floats when the domain is all numbers."""
    count = 1
    for size in shape:
        count *= size
    if dtype == torch.bool:
        return torch.randint(0, 2, shape, generator=generator).to(dtype)
    if dtype in INTEGERS:
        low, high = domain if domain else (-9, 10)
        low = max(int(low), 0) if dtype == torch.uint8 else int(low)
        drawn = torch.randint(low, int(high), shape, generator=generator)
        return torch.where(drawn == 0, torch.ones_like(drawn), drawn).to(dtype)
    low, high = domain if domain else (-5.0, 5.0)
    drawn = torch.rand(shape, dtype=torch.float64, generator=generator) * (high - low) + low
    if dtype in COMPLEX:
        other = torch.rand(shape, dtype=torch.float64, generator=generator) * (high - low) + low
        return torch.complex(drawn, other).to(dtype)
    if domain is None and count > 200:
        drawn.view(-1)[: len(SPECIAL)] = torch.tensor(SPECIAL, dtype=torch.float64)
    return drawn.to(dtype)


def with_view(tensor, view):
    """Equal elements with other strides."""
    if isinstance(tensor, (list, tuple)):
        return [with_view(one, view) for one in tensor]
    if view == "transposed" and tensor.dim() >= 2:
        return tensor.transpose(-1, -2).contiguous().transpose(-1, -2)
    if view == "sliced" and tensor.dim() >= 1:
        wide = torch.zeros(*tensor.shape[:-1], 2 * tensor.shape[-1] + 3, dtype=tensor.dtype)
        wide[..., 3::2] = tensor
        return wide[..., 3::2]
    if view == "expanded" and tensor.dim() >= 2 and tensor.shape[0] > 0:
        return tensor[:1].expand_as(tensor)
    return tensor.contiguous()


def all_inputs(count, dtypes, case, generator):
    """Lists of `count` tensors, in the views and shapes that the case asks for. The row has all kinds of numbers."""
    if case.inputs:
        for made in case.inputs(generator, dtypes[0]):
            yield [with_view(one, "plain") for one in made]
            yield [with_view(one, "transposed") for one in made]
            yield [with_view(one, "sliced") for one in made]
        return

    def draw(shape, i):
        return values(shape, dtypes[i % len(dtypes)], None if shape == ROW else case.domain, generator)

    for shape in case.shapes:
        yield [draw(shape, i) for i in range(count)]
    for view in ("transposed", "sliced", "expanded"):
        yield [with_view(draw(case.shapes[0], i), view) for i in range(count)]
    if count > 1 and case.broadcasts:
        for first, second in BROADCAST:
            yield [draw(first if i == 0 else second, i) for i in range(count)]


# --- comparison ---


def widened(tensor):
    if isinstance(tensor, (list, tuple)):
        return [widened(one) for one in tensor]
    return tensor.to(WIDE.get(tensor.dtype, tensor.dtype))


def as_float(tensor):
    if isinstance(tensor, (list, tuple)):
        return [as_float(one) for one in tensor]
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor


def as_list(results):
    return list(results) if isinstance(results, (list, tuple)) else [results]


def first_of(tensors):
    return tensors[0][0] if isinstance(tensors[0], (list, tuple)) else tensors[0]


def check(got, expected, tolerance, magnitude):
    """`expected` has the dtype of the output, or is wider. The absolute tolerance is that of numbers of the magnitude."""
    if got.dtype in RELATIVE:
        limit = tolerance if tolerance is not None else RELATIVE[got.dtype]
        rounded = expected.to(got.dtype)
        wide = torch.complex128 if got.dtype in COMPLEX else torch.float64
        near = torch.isclose(got.to(wide), rounded.to(wide), rtol=limit, atol=limit * magnitude, equal_nan=True)
    else:
        near = got == expected.to(got.dtype)
    if not bool(near.all()):
        at = (~near).nonzero()[0].tolist()
        raise Mismatch(
            f"{int((~near).sum())} of {got.numel()} elements differ, the first at {at}: "
            f"{got[tuple(at)].item()} where {expected[tuple(at)].item()} is expected"
        )


# --- cases ---


def few_of(name, dtypes):
    """The first and some of the others, which depend on the name, so that all have their turn among the lines of a table."""
    if FEW is None or len(dtypes) <= FEW:
        return dtypes
    start = zlib.crc32(name.encode()) % (len(dtypes) - 1)
    rest = dtypes[1:][start:] + dtypes[1:][:start]
    return dtypes[:1] + rest[: FEW - 1]


class Case:
    def __init__(self, name, meaning, dtypes, shapes, domain, tolerance, magnitude, inputs, broadcasts, result, attributes):
        self.name = "aclnn" + name
        self.meaning = meaning
        self.shapes = shapes
        self.domain = domain
        self.tolerance = tolerance
        self.magnitude = magnitude
        self.inputs = inputs
        self.broadcasts = broadcasts
        self.result = result
        self.attributes = attributes
        self.parameters = acl.SIGNATURES[self.name]
        self.dtypes = few_of(name, tuple(dtypes or acl.DTYPES_OF[self.name]))

    def inputs_wanted(self):
        """Tensors that the case draws: one for each parameter that is no output and not given as an attribute."""
        return [
            p
            for p in self.parameters
            if (p.is_tensor or p.is_list) and (p.constant or p.in_place) and p.name not in self.attributes
        ]

    def expect(self, tensors):
        """What torch says, computed in double precision where it computes in less, and the dtypes that it gives."""
        wide = as_list(self.meaning(*[widened(one) for one in tensors], **self.attributes))
        if self.result is not None:
            return wide, [first_of(tensors).dtype if self.result == "same" else self.result] * len(wide)
        try:
            return wide, [one.dtype for one in as_list(self.meaning(*tensors, **self.attributes))]
        except RuntimeError:  # torch computes less in 16 bits than the operators do
            half = first_of(tensors).dtype
            found = as_list(self.meaning(*[as_float(one) for one in tensors], **self.attributes))
            return wide, [half if one.dtype == torch.float32 else one.dtype for one in found]

    def fits(self, tensors):
        """Whether the result may be stored in the first input: torch refuses the others, too."""
        try:
            return torch.can_cast(as_list(self.meaning(*tensors, **self.attributes))[0].dtype, first_of(tensors).dtype)
        except RuntimeError:
            return True

    def writable(self, tensors):
        """What an in-place operator may be given: no element twice, and the shape of the result."""
        first = tensors[0]
        if isinstance(first, (list, tuple)):
            return True
        once = all(stride != 0 or size <= 1 for size, stride in zip(first.shape, first.stride()))
        if self.inputs:
            wide = self.meaning(*[widened(one) for one in tensors], **self.attributes)
            return once and first.shape == as_list(wide)[0].shape
        others = [t.shape for t in tensors if not isinstance(t, (list, tuple))]
        return once and first.shape == torch.broadcast_shapes(*others)

    def run_one(self, session, tensors, mode):
        wide, dtypes = self.expect(tensors)
        drawn = iter(tensors)
        results = iter(zip(wide, dtypes))
        arguments, operands, outputs, keep = [], [], [], []
        for p in self.parameters:
            if isinstance(self.attributes.get(p.name), torch.Tensor):
                operands.append(acl.Tensor(self.attributes[p.name]))
                arguments.append(operands[-1].handle)
            elif p.name in self.attributes:
                arguments.append(acl.attribute(p.kind, self.attributes[p.name], keep))
            elif p.is_tensor and not p.constant and not p.in_place:
                expected, dtype = next(results, (None, None))
                if expected is None:
                    arguments.append(acl.pointer())
                    continue
                operands.append(acl.Tensor(torch.zeros(expected.shape, dtype=dtype)))
                outputs.append((operands[-1], expected))
                arguments.append(operands[-1].handle)
            elif p.is_tensor:
                operands.append(acl.Tensor(next(drawn)))
                if p.in_place:
                    outputs.append((operands[-1], next(results)[0]))
                arguments.append(operands[-1].handle)
            elif p.is_list:
                if p.constant or p.in_place:
                    operands.append(acl.TensorList(next(drawn)))
                    if p.in_place:
                        outputs.extend((one, e) for one, (e, _) in zip(operands[-1].tensors, results))
                else:
                    rest = list(results)
                    operands.append(acl.TensorList([torch.zeros(e.shape, dtype=d) for e, d in rest]))
                    outputs.extend((one, e) for one, (e, _) in zip(operands[-1].tensors, rest))
                arguments.append(operands[-1].handle)
            else:
                raise KeyError(f"{self.name} has an attribute {p.name} ({p.kind}) that the case does not give")
        try:
            if not outputs:
                raise KeyError(f"{self.name} has no output that could be compared")
            getattr(session, mode)(self.name, arguments, operands)
            for tensor, expected in outputs:
                check(tensor.result(), expected, self.tolerance, self.magnitude)
        finally:
            for end in keep:
                end()
            for operand in operands:
                operand.free()

    def run(self, session):
        generator = torch.Generator().manual_seed(2027)
        wanted = self.inputs_wanted()
        in_place = any(p.in_place for p in wanted)
        failures = runs = 0
        for dtype in self.dtypes:
            dtypes = dtype if isinstance(dtype, tuple) else (dtype,)
            for number, tensors in enumerate(all_inputs(len(wanted), dtypes, self, generator)):
                if in_place and not (self.writable(tensors) and self.fits(tensors)):
                    continue
                # A replay runs the same kernels, so one of a plain case and one of a view are enough.
                for mode in ("run", "replay") if number in (0, len(self.shapes)) else ("run",):
                    runs += 1
                    try:
                        self.run_one(session, tensors, mode)
                    except Exception as problem:  # of the library, or of the line: both are failures
                        failures += 1
                        print(f"FAILED {self.name} {mode} {describe(tensors)} {self.attributes}: {problem}", flush=True)
        if runs == 0:
            failures = 1
            print(f"FAILED {self.name} {self.attributes}: no input suits the line, so it shows nothing.", flush=True)
        return failures, runs


def describe(tensors):
    flat = [one for t in tensors for one in (t if isinstance(t, (list, tuple)) else [t])]
    return ", ".join(f"{str(t.dtype)[6:]}{list(t.shape)}/{list(t.stride())}" for t in flat)


CASES = []


def op(
    name,
    meaning,
    dtypes=None,
    shapes=None,
    domain=None,
    tolerance=None,
    magnitude=2.0**-4,
    inputs=None,
    broadcasts=True,
    result=None,
    **attributes,
):
    """A line of a table. A pair among `dtypes` is for two inputs. `inputs`: a function that makes lists of inputs, where shapes do not
    say enough. `magnitude`: that of the terms of a sum that may come to little. `result`: the dtype of the outputs where it is not torch's, or "same" as the first input."""
    CASES.append(
        Case(name, meaning, dtypes, shapes or SHAPES, domain, tolerance, magnitude, inputs, broadcasts, result, attributes)
    )


def main():
    chosen = sys.argv[1:]
    failures = runs = 0
    missing = []
    torch.set_num_threads(1)
    with acl.Session() as session:
        for case in CASES:
            if chosen and case.name not in chosen and case.name[5:] not in chosen:
                continue
            if not acl.is_built(case.name):
                missing.append(case.name)
                continue
            failed, done = case.run(session)
            failures += failed
            runs += done
            if os.environ.get("GOLDEN_VERBOSE"):
                print(f"{case.name}: {done} runs, {failed} failed", flush=True)
    print(f"{runs} runs of {len(CASES) - len(missing)} lines, {failures} failed.")
    for name in missing:
        print(f"FAILED {name} is in the table, but not in the library.")
    sys.exit(1 if failures or missing else 0)
