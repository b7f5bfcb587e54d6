"""Operators on lists of tensors."""

import torch

from golden import FLOATS, main, op, values

SHAPES = [(7, 11), (1009,), (), (0, 3), (64,), (3, 1, 2)]
WHOLE = (torch.int32,)


def lists(count, domain=None):
    """Inputs that are so many lists of tensors of mixed sizes."""

    def make(generator, dtype):
        yield [[values(shape, dtype, domain, generator) for shape in SHAPES] for _ in range(count)]

    return make


def each(function):
    """A function of tensors as one of lists of them; what is no list is the same for all members."""

    def meaning(*lists, **attributes):
        return [function(*members, **attributes) for members in zip(*lists)]

    return meaning


# One list.

for name in "abs acos asin atan cos cosh erf erfc exp expm1 log log10 log1p log2 neg reciprocal sigmoid sin sinh sqrt tan tanh".split():
    op("Foreach" + name.capitalize(), getattr(torch, "_foreach_" + name), dtypes=FLOATS, inputs=lists(1))
op("ForeachNeg", torch._foreach_neg, dtypes=WHOLE + (torch.int16, torch.int8, torch.uint8), inputs=lists(1))
op("ForeachSign", each(torch.sign), dtypes=(torch.int8, torch.int32, torch.int64), inputs=lists(1))
op("ForeachSign", each(torch.sign), dtypes=FLOATS, inputs=lists(1, (-5.0, 5.0)))
op("ForeachACosInplace", torch._foreach_acos, inputs=lists(1))
op("ForeachLogInplace", torch._foreach_log, inputs=lists(1))
op("ForeachCopy", each(torch.clone), inputs=lists(1))
op("ForeachZeroInplace", each(torch.zeros_like), inputs=lists(1))
for mode, meaning in ((1, torch.round), (2, torch.floor), (3, torch.ceil), (5, torch.trunc), (7, torch.frac)):
    op("ForeachRoundOffNumberV2", each(lambda x, roundMode, f=meaning: f(x)), dtypes=FLOATS, inputs=lists(1), roundMode=mode)
    op(
        "ForeachRoundOffNumber",
        each(lambda x, roundMode, f=meaning: f(x)),
        dtypes=FLOATS,
        inputs=lists(1),
        roundMode=torch.tensor([mode], dtype=torch.int8),
    )
for order in (0, 1, 2, float("inf")):
    op(
        "ForeachNorm",
        each(lambda x, scalar: torch.linalg.vector_norm(x, scalar) if x.numel() else torch.zeros((), dtype=x.dtype)),
        dtypes=FLOATS,
        inputs=lists(1, (-5.0, 5.0)),
        scalar=order,
    )

# Two lists, or a list and scalars.

SIGNED = FLOATS + WHOLE
TWO = torch.tensor([2], dtype=torch.int32)


def two_for(dtypes):
    """What computes in floating point only takes no integer."""
    return TWO if dtypes is SIGNED else TWO.float()


GROWING = [1, 2, 3, 4, 5, 6]
for name in ("Add", "Sub"):
    function = getattr(torch, "_foreach_" + name.lower())
    with_alpha = lambda x1, x2, alpha, f=function: f(x1, x2, alpha=int(alpha))
    op(f"Foreach{name}List", with_alpha, dtypes=SIGNED, inputs=lists(2), alpha=TWO)
    op(f"Foreach{name}ListInplace", with_alpha, dtypes=SIGNED, inputs=lists(2), alpha=TWO)
    op(f"Foreach{name}ListV2", with_alpha, dtypes=SIGNED, inputs=lists(2), alpha=2)
op("ForeachMulList", torch._foreach_mul, dtypes=SIGNED, inputs=lists(2))
op("ForeachMulListInplace", torch._foreach_mul, dtypes=SIGNED, inputs=lists(2))
op("ForeachDivList", torch._foreach_div, dtypes=FLOATS, inputs=lists(2))
op("ForeachDivListInplace", torch._foreach_div, dtypes=FLOATS, inputs=lists(2))
op("ForeachMaximumList", each(torch.maximum), dtypes=SIGNED, inputs=lists(2))
op("ForeachMinimumList", each(torch.minimum), dtypes=SIGNED, inputs=lists(2))
op("ForeachPowList", each(torch.pow), dtypes=FLOATS, inputs=lists(2, (0.1, 4.0)))


def by_scalars(name, meaning, dtypes):
    """The forms with a scalar, one from device memory, and one for each tensor."""
    one = lambda x, scalar: [meaning(member, int(scalar)) for member in x]
    op(f"Foreach{name}ScalarV2", one, dtypes=dtypes, inputs=lists(1), scalar=2)
    op(f"Foreach{name}Scalar", one, dtypes=dtypes, inputs=lists(1), scalar=two_for(dtypes))
    op(
        f"Foreach{name}ScalarList",
        lambda x, scalars: [meaning(member, scalar) for member, scalar in zip(x, scalars)],
        dtypes=dtypes,
        inputs=lists(1),
        scalars=GROWING,
    )


by_scalars("Add", torch.add, SIGNED)
by_scalars("Sub", torch.sub, SIGNED)
by_scalars("Mul", torch.mul, SIGNED)
by_scalars("Div", torch.div, FLOATS)
by_scalars("Maximum", lambda x, scalar: torch.maximum(x, torch.tensor(scalar, dtype=x.dtype)), SIGNED)
by_scalars("Minimum", lambda x, scalar: torch.minimum(x, torch.tensor(scalar, dtype=x.dtype)), SIGNED)
by_scalars("Pow", torch.pow, FLOATS)
op("ForeachSubScalarInplace", lambda x, scalar: torch._foreach_sub(x, int(scalar)), dtypes=SIGNED, inputs=lists(1), scalar=TWO)
op("ForeachMulScalarInplace", lambda x, scalar: torch._foreach_mul(x, int(scalar)), dtypes=SIGNED, inputs=lists(1), scalar=TWO)
op("ForeachPowScalarAndTensor", each(lambda x, scalar: torch.pow(scalar, x)), dtypes=FLOATS, inputs=lists(1), scalar=1.5)

# Three lists.

for name, dtypes in (("Addcmul", SIGNED), ("Addcdiv", FLOATS)):
    function = getattr(torch, "_foreach_" + name.lower())
    one = lambda x1, x2, x3, scalar, f=function: f(x1, x2, x3, int(scalar))
    several = lambda x1, x2, x3, scalars, f=function: f(x1, x2, x3, [float(s) for s in scalars])
    op(f"Foreach{name}ScalarV2", one, dtypes=dtypes, inputs=lists(3), scalar=2)
    op(f"Foreach{name}Scalar", one, dtypes=dtypes, inputs=lists(3), scalar=two_for(dtypes))
    for form in ("List", "ScalarList"):
        op(f"Foreach{name}{form}", several, dtypes=FLOATS, inputs=lists(3), scalars=torch.tensor(GROWING, dtype=torch.float32))
op("ForeachLerpList", each(torch.lerp), dtypes=FLOATS, inputs=lists(3))
op("ForeachLerpScalar", lambda x1, x2, weight: [torch.lerp(x, y, weight) for x, y in zip(x1, x2)], dtypes=FLOATS, inputs=lists(2), weight=0.3)

if __name__ == "__main__":
    main()
