"""Operators on two or three tensors, or tensors and scalars, element by element, with their forms in place."""

import torch
import torch.nn.functional as F

from golden import BOOL, COMPLEX, FLOATS, INTEGERS, REALS, main, op

NUMBERS = REALS + INTEGERS + COMPLEX
ORDERED = REALS + INTEGERS
MIXED = (
    (torch.float16, torch.float32),
    (torch.int32, torch.float16),
    (torch.bfloat16, torch.float16),
    (torch.bool, torch.int64),
    (torch.uint8, torch.int8),
)


def few(count):
    """Inputs of few different values, so that many are equal."""

    def make(generator, dtype):
        for shapes in (((7, 11, 5),) * count, ((7, 1, 5), (11, 1), (5,))[:count]):
            yield [torch.randint(0, 3, shape, generator=generator).to(dtype) for shape in shapes]

    return make


def tensors_and_scalars(tensor_name, scalar_name, meaning, scalar, in_place=True, **more):
    """An operator's form with two tensors, its form with a scalar, and both in place."""
    op(tensor_name, meaning, **more)
    op(scalar_name, lambda x, other: meaning(x, other), **{**more, "inputs": None}, other=scalar)
    if in_place:
        op("Inplace" + tensor_name, meaning, result="same", **more)
        op(
            "Inplace" + scalar_name,
            lambda x, other: meaning(x, other),
            result="same",
            **{**more, "inputs": None},
            other=scalar
        )


# Arithmetic.

for name in ("Add", "Sub"):
    meaning = getattr(torch, name.lower())
    op(
        name,
        lambda x, y, alpha, f=meaning: f(x, y, alpha=alpha),
        dtypes=NUMBERS + (MIXED if name == "Add" else ()),
        alpha=2,
    )
    op("Inplace" + name, lambda x, y, alpha, f=meaning: f(x, y, alpha=alpha), dtypes=NUMBERS, alpha=2)
    op(name + "s", lambda x, other, alpha, f=meaning: f(x, other, alpha=alpha), dtypes=NUMBERS, other=3, alpha=2)
op("Rsub", lambda x, y, alpha: torch.rsub(x, y, alpha=alpha), dtypes=ORDERED, alpha=2)
op("Rsubs", lambda x, other, alpha: torch.rsub(x, other, alpha=alpha), dtypes=ORDERED, other=3, alpha=2)
op("AddRelu", lambda x, y, alpha: F.relu(x + alpha * y), dtypes=FLOATS + (torch.int32,), alpha=2)
op("AddV3", lambda y, self, alpha: torch.add(y * alpha, self), dtypes=FLOATS + (torch.int32,), self=3, alpha=2)


def floor_of_quotient(x, other):
    """The floor of the rounded quotient, as on the chip; torch.floor_divide corrects it by the remainder."""
    if not x.is_floating_point():
        return torch.floor_divide(x, other)
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    quotient = x.to(wide) / (other.to(wide) if torch.is_tensor(other) else other)
    return torch.floor(quotient).to(x.dtype)


tensors_and_scalars("FloorDivide", "FloorDivides", floor_of_quotient, 3, dtypes=ORDERED)
tensors_and_scalars("Mul", "Muls", torch.mul, 3, dtypes=NUMBERS + BOOL)
tensors_and_scalars("Div", "Divs", torch.div, 3, in_place=False, dtypes=NUMBERS)
tensors_and_scalars(
    "FmodTensor", "FmodScalar", torch.fmod, 3, dtypes=REALS + (torch.int32, torch.int64, torch.int8, torch.uint8)
)
tensors_and_scalars(
    "RemainderTensorTensor", "RemainderTensorScalar", torch.remainder, 3, dtypes=REALS + (torch.int32, torch.int64)
)
op("RemainderScalarTensor", lambda y, self: torch.remainder(self, y), dtypes=REALS + (torch.int32, torch.int64), self=7)
op("PowTensorTensor", torch.pow, dtypes=REALS, domain=(0.1, 4.0))
op("PowTensorTensor", torch.pow, dtypes=INTEGERS, domain=(1, 5))
op("PowTensorScalar", lambda x, exponent: torch.pow(x, exponent), dtypes=ORDERED, exponent=3)
op("PowTensorScalar", lambda x, exponent: torch.pow(x, exponent), dtypes=REALS, exponent=-1.5, domain=(0.1, 4.0))
op("PowScalarTensor", lambda exponent, self: torch.pow(self, exponent), dtypes=REALS, self=1.5)
op("InplacePowTensorScalar", lambda x, exponent: torch.pow(x, exponent), dtypes=REALS, exponent=2)
op("InplacePowTensorTensor", torch.pow, dtypes=REALS, domain=(0.1, 4.0))
op("Maximum", torch.maximum, dtypes=ORDERED + BOOL)
op("Minimum", torch.minimum, dtypes=ORDERED + BOOL)
op("Gcd", torch.gcd)
op("Heaviside", torch.heaviside)
op("Atan2", torch.atan2, dtypes=ORDERED)
op("InplaceAtan2", torch.atan2, dtypes=REALS)
op("LogAddExp", torch.logaddexp, dtypes=REALS)
op("LogAddExp2", torch.logaddexp2, dtypes=REALS)
op("XLogYTensor", torch.xlogy, dtypes=FLOATS + INTEGERS)
op("XLogYScalarOther", lambda x, other: torch.xlogy(x, other), dtypes=FLOATS, other=2.5)
op("XLogYScalarSelf", lambda y, self: torch.xlogy(self, y), dtypes=REALS, self=2.5)
op("InplaceXLogYTensor", torch.xlogy, dtypes=FLOATS)
op("Xlog1py", torch.special.xlog1py)
# Comparisons and logic.

for name in ("Eq", "Ne", "Lt", "Le", "Gt", "Ge"):
    dtypes = ORDERED + BOOL + (COMPLEX if name in ("Eq", "Ne") else ())
    tensors_and_scalars(name + "Tensor", name + "Scalar", getattr(torch, name.lower()), 1, dtypes=dtypes, inputs=few(2))
    op(name + "Tensor", getattr(torch, name.lower()), dtypes=REALS)
for name in ("And", "Or", "Xor"):
    op("Logical" + name, getattr(torch, "logical_" + name.lower()), inputs=few(2))
    op("Bitwise" + name + "Tensor", getattr(torch, "bitwise_" + name.lower()))
    op(
        "Bitwise" + name + "Scalar",
        lambda x, other, f=getattr(torch, "bitwise_" + name.lower()): f(x, other),
        dtypes=INTEGERS,
        other=6,
    )
    op("InplaceBitwise" + name + "Tensor", getattr(torch, "bitwise_" + name.lower()))
for name in ("And", "Or"):
    op("InplaceLogical" + name, getattr(torch, "logical_" + name.lower()), inputs=few(2), result="same")


def is_close(x, y, rtol, atol, equalNan):
    return torch.isclose(*torch.broadcast_tensors(x, y), rtol, atol, equalNan)  # by itself it does not broadcast NaN


for equal_nan in (False, True):
    op("IsClose", is_close, dtypes=REALS + INTEGERS, inputs=few(2), rtol=0.1, atol=0.5, equalNan=equal_nan)
op("IsClose", is_close, dtypes=REALS, rtol=0.1, atol=0.5, equalNan=True)
op("LeftShift", torch.bitwise_left_shift, dtypes=INTEGERS, domain=(0, 6), shapes=[(7, 11, 5), (), (0, 3)])
op("RightShift", torch.bitwise_right_shift, domain=(0, 6))

# Three operands.

op("ClampTensor", torch.clamp, dtypes=ORDERED)
op("ClampMaxTensor", torch.minimum, dtypes=ORDERED)
op("ClampMinTensor", torch.maximum, dtypes=ORDERED)
op("InplaceClampMaxTensor", torch.minimum, dtypes=ORDERED)
op("SWhere", torch.where, dtypes=tuple((torch.bool, dtype, dtype) for dtype in NUMBERS))
op(
    "InplaceMaskedFillScalar",
    lambda x, mask, value: x.masked_fill(mask, value),
    dtypes=tuple((dtype, torch.bool) for dtype in FLOATS + (torch.int32, torch.int64, torch.int8)),
    value=3,
)
op("Addcmul", lambda x, a, b, value: torch.addcmul(x, a, b, value=value), dtypes=REALS, value=1.5)
op("InplaceAddcmul", lambda x, a, b, value: torch.addcmul(x, a, b, value=value), dtypes=REALS, value=1.5)
op("Addcdiv", lambda x, a, b, value: torch.addcdiv(x, a, b, value=value), dtypes=REALS, value=1.5)
op("InplaceAddcdiv", lambda x, a, b, value: torch.addcdiv(x, a, b, value=value), dtypes=REALS, value=1.5)
op(
    "MaxPoolingGrad",
    lambda dy, x, y: torch.where(x == y, dy, torch.zeros_like(dy)),
    dtypes=(torch.float32, torch.float16),
    inputs=lambda generator, dtype: [
        [torch.randint(0, 4, (7, 13), generator=generator).to(dtype) for _ in range(3)],
    ],
)
op("Lerp", torch.lerp)
op("InplaceLerp", torch.lerp)
op("Lerps", lambda x, end, weight: torch.lerp(x, end, weight), weight=0.3)
op("InplaceLerps", lambda x, end, weight: torch.lerp(x, end, weight), weight=0.3)

# Gradients. torch computes them by itself.


def gradient(function):
    """The gradient of a function of one tensor, as a function of the gradient of the result and of the tensor."""

    def meaning(grad, x, **attributes):
        grad, x = torch.broadcast_tensors(grad, x)
        leaf = x.detach().clone().requires_grad_(True)
        function(leaf, **attributes).backward(grad)
        return leaf.grad

    return meaning


op("FastGeluBackward", gradient(lambda x: x * torch.sigmoid(1.702 * x)), broadcasts=False, domain=(-5.0, 5.0))
op("GeluBackward", gradient(F.gelu), broadcasts=False)
op(
    "LeakyReluBackward",
    lambda grad, x, negativeSlope, selfIsResult: torch.ops.aten.leaky_relu_backward(grad, x, negativeSlope, selfIsResult),
    broadcasts=False,
    negativeSlope=0.25,
    selfIsResult=False,
)
# What torch makes of NaN, and of 3 in hardswish, which bfloat16 meets, depends on where in the tensor it is.
PLAIN = {"shapes": [(7, 11, 5), (), (0, 3)], "domain": (-5.0, 5.0), "broadcasts": False}
op("HardshrinkBackward", lambda grad, x, lambd: torch.ops.aten.hardshrink_backward(grad, x, lambd), lambd=0.5, **PLAIN)
op(
    "HardtanhBackward",
    lambda grad, x, min, max: torch.ops.aten.hardtanh_backward(grad, x, min, max),
    min=-1,
    max=2,
    **PLAIN
)
op("HardswishBackward", torch.ops.aten.hardswish_backward, dtypes=(torch.float32, torch.float16), **PLAIN)
op("HardsigmoidBackward", gradient(F.hardsigmoid), broadcasts=False)
op("MishBackward", gradient(F.mish), broadcasts=False)
op("SiluBackward", gradient(F.silu), broadcasts=False)
op(
    "SoftplusBackward",
    gradient(lambda x, beta, threshold: F.softplus(x, beta, threshold)),
    dtypes=FLOATS,
    broadcasts=False,
    beta=1.5,
    threshold=4,
)
op(
    "SwishBackward",
    gradient(lambda x, betaOptional: x * torch.sigmoid(betaOptional * x)),
    broadcasts=False,
    betaOptional=1.5,
)
op(
    "ThresholdBackward",
    lambda grad, x, threshold: torch.where(x <= threshold, torch.zeros_like(grad), grad),
    broadcasts=False,
    threshold=1,
)
op("SigmoidBackward", lambda grad, y: grad * y * (1 - y), dtypes=REALS, broadcasts=False)
op("TanhBackward", lambda grad, y: grad * (1 - y * y), broadcasts=False)

if __name__ == "__main__":
    main()
