"""Operators on one tensor, element by element, with their forms in place."""

import torch
import torch.nn.functional as F

from golden import FLOATS, INTEGERS, REALS, main, op

ONE = (-1.0, 1.0)


for name in (
    "Atan",
    "Ceil",
    "Cos",
    "Cosh",
    "Erf",
    "Erfc",
    "Exp",
    "Exp2",
    "Expm1",
    "Floor",
    "Log",
    "Log10",
    "Log1p",
    "Log2",
    "Neg",
    "Reciprocal",
    "Round",
    "Rsqrt",
    "Sin",
    "Sinc",
    "Sinh",
    "Sqrt",
    "Tan",
    "Tanh",
    "Trunc",
    "Asinh",
):
    meaning = getattr(torch, name.lower())
    op(name, meaning)
    op("Inplace" + name, meaning, result="same")
for name in ("Acos", "Asin", "Atanh", "Erfinv"):
    op(name, getattr(torch, name.lower()), domain=ONE)
    op("Inplace" + name, getattr(torch, name.lower()), domain=ONE, result="same")
op("Acosh", torch.acosh, domain=(1.0, 9.0))
op("InplaceAcosh", torch.acosh, domain=(1.0, 9.0), result="same")

op("Abs", torch.abs, dtypes=REALS + INTEGERS)
for name in ("BitwiseNot", "Lgamma", "Signbit", "Square"):
    op(name, getattr(torch, name.lower() if name != "BitwiseNot" else "bitwise_not"))

op("Ndtri", torch.special.ndtri, domain=(0.0, 1.0), dtypes=FLOATS, result="same")
op("Frac", torch.frac, dtypes=FLOATS)
op("InplaceFrac", torch.frac, dtypes=FLOATS)
op("Digamma", torch.digamma, tolerance=2.0**-9)
op("Sign", torch.sgn, dtypes=FLOATS + (torch.float64, torch.int32, torch.int64, torch.complex64))
op("IsFinite", torch.isfinite)
op("IsInf", torch.isinf)
op("IsNegInf", torch.isneginf)
op("IsPosInf", torch.isposinf)
op("LogicalNot", torch.logical_not)
op("InplaceLogicalNot", torch.logical_not, result="same")

op("Relu", F.relu)
op("InplaceRelu", F.relu)
op("Sigmoid", torch.sigmoid)
op("InplaceSigmoid", torch.sigmoid)
op("Silu", F.silu)
op("Mish", F.mish)
op("InplaceMish", F.mish)
op("Gelu", F.gelu)
op("GeluV2", lambda x, approximate: F.gelu(x, approximate="tanh"), approximate=1)
op("FastGelu", lambda x: x * torch.sigmoid(1.702 * x))
op("Hardswish", F.hardswish)
op("InplaceHardswish", F.hardswish)
op("Hardsigmoid", F.hardsigmoid, dtypes=FLOATS)
op("InplaceHardsigmoid", F.hardsigmoid, dtypes=FLOATS)
op("Selu", F.selu, dtypes=FLOATS)
op("InplaceSelu", F.selu, dtypes=FLOATS)
op("LogSigmoid", F.logsigmoid)
op("SquaredRelu", lambda x: F.relu(x) ** 2)
op("Celu", lambda x, alpha: F.celu(x, alpha), alpha=1.3)
op("InplaceCelu", lambda x, alpha: F.celu(x, alpha), alpha=1.3)
op(
    "Elu",
    lambda x, alpha, scale, inputScale: torch.where(x > 0, x * scale, alpha * scale * torch.expm1(x * inputScale)),
    alpha=1.5,
    scale=1.25,
    inputScale=0.75,
)
op(
    "InplaceElu",
    lambda x, alpha, scale, inputScale: torch.where(x > 0, x * scale, alpha * scale * torch.expm1(x * inputScale)),
    alpha=1.5,
    scale=1.25,
    inputScale=0.75,
)
op("LeakyRelu", lambda x, negativeSlope: F.leaky_relu(x, negativeSlope), negativeSlope=0.25)
op("InplaceLeakyRelu", lambda x, negativeSlope: F.leaky_relu(x, negativeSlope), negativeSlope=0.25)
op("Hardshrink", lambda x, lambd: F.hardshrink(x, lambd), lambd=0.5)
# torch of this age makes 0 of NaN.
op("Softshrink", lambda x, lambd: torch.where(x.isnan(), x, F.softshrink(x, lambd)), lambd=0.5)
op("Softplus", lambda x, beta, threshold: F.softplus(x, beta, threshold), beta=1.5, threshold=4)
op("Swish", lambda x, betaOptional: x * torch.sigmoid(betaOptional * x), betaOptional=1.5)
op(
    "Hardtanh",
    lambda x, clipValueMin, clipValueMax: F.hardtanh(x, clipValueMin, clipValueMax),
    dtypes=REALS + INTEGERS,
    clipValueMin=1,
    clipValueMax=4,
)
op(
    "InplaceHardtanh",
    lambda x, clipValueMin, clipValueMax: F.hardtanh(x, clipValueMin, clipValueMax),
    clipValueMin=1,
    clipValueMax=4,
)
op("Threshold", lambda x, threshold, value: F.threshold(x, threshold, value), threshold=2, value=7)
op("InplaceThreshold", lambda x, threshold, value: F.threshold(x, threshold, value), threshold=2, value=7)
op(
    "Clamp",
    lambda x, clipValueMin, clipValueMax: torch.clamp(x, clipValueMin, clipValueMax),
    dtypes=REALS + INTEGERS,
    clipValueMin=1,
    clipValueMax=4,
)
op("ClampMax", lambda x, clipValueMax: torch.clamp_max(x, clipValueMax), clipValueMax=2)
op("InplaceClampMax", lambda x, clipValueMax: torch.clamp_max(x, clipValueMax), clipValueMax=2)
op("ClampMin", lambda x, clipValueMin: torch.clamp_min(x, clipValueMin), clipValueMin=2)
op(
    "NanToNum",
    lambda x, nan, posinf, neginf: torch.nan_to_num(x, nan, posinf, neginf),
    nan=1.5,
    posinf=7.0,
    neginf=-7.0,
)
op(
    "InplaceNanToNum",
    lambda x, nan, posinf, neginf: torch.nan_to_num(x, nan, posinf, neginf),
    nan=1.5,
    posinf=7.0,
    neginf=-7.0,
)
op(
    "RoundDecimals",
    lambda x, decimals: torch.round(x, decimals=decimals),
    dtypes=(torch.float32, torch.float64),
    decimals=2,
)
op(
    "InplaceRoundDecimals",
    lambda x, decimals: torch.round(x, decimals=decimals),
    dtypes=(torch.float32, torch.float64),
    decimals=1,
)

if __name__ == "__main__":
    main()
