"""Gated linear units and their gradients."""

import torch
import torch.nn.functional as F

from golden import FLOATS, REALS, main, op, values

ROWS = [(7, 11, 6), (3, 16), (5, 1018), (0, 4), (2,)]
MIDDLE = [(7, 12, 5), (2, 8, 64), (3, 2, 1)]


def parts(x, dim, interleaved=False):
    if interleaved:
        at = [slice(None)] * x.dim()
        at[dim] = slice(0, None, 2)
        first = x[tuple(at)]
        at[dim] = slice(1, None, 2)
        return first, x[tuple(at)]
    return x.chunk(2, dim)


def gradient(unit):
    """What torch says of the gradient of a unit."""

    def meaning(grad, x, **attributes):
        with torch.enable_grad():
            given = x.detach().clone().requires_grad_()
            unit(given, **attributes).backward(grad)
        return given.grad

    return meaning


def gradient_and_operand(shapes, dim):
    """The gradient of the result, and the operand; neither so large that 16 bits overflow."""

    def make(generator, dtype):
        for shape in shapes:
            half = list(shape)
            half[dim] //= 2
            yield [values(half, dtype, (-3.0, 3.0), generator), values(shape, dtype, (-4.0, 4.0), generator)]

    return make


def glu(x, dim):
    return F.glu(x, dim)


def swi_glu(x, dim):
    first, second = x.chunk(2, dim)
    return F.silu(first) * second


for shapes, dim in ((ROWS, -1), (MIDDLE, 1), ([(4, 9), (2, 3, 5)], 0)):
    op("Glu", glu, dtypes=REALS, shapes=shapes, dim=dim)
    op("SwiGlu", swi_glu, shapes=shapes, dim=dim)
    grads = gradient_and_operand(shapes[:2], dim)
    op("GluBackward", gradient(glu), dtypes=REALS, inputs=grads, result="same", dim=dim)
    op("SwiGluGrad", gradient(swi_glu), inputs=grads, result="same", dim=dim)


def ge_glu(x, dim, approximate, activateLeft=False):
    first, second = x.chunk(2, dim)
    if activateLeft:
        first, second = second, first
    activated = F.gelu(second, approximate="tanh" if approximate else "none")
    return first * activated, activated


def ge_glu_gradient(grad, x, gelu, dim, approximate, activateLeft=False):
    """The linear part's gradient comes from what was kept."""
    whole = gradient(lambda given: ge_glu(given, dim, approximate, activateLeft)[0])(grad, x)
    first, second = whole.chunk(2, dim)
    return torch.cat([first, grad * gelu] if activateLeft else [grad * gelu, second], dim)


def with_kept(shapes, dim):
    def make(generator, dtype):
        for grad, x in gradient_and_operand(shapes, dim)(generator, dtype):
            yield [grad, x, values(grad.shape, dtype, (-3.0, 3.0), generator)]

    return make


for approximate in (0, 1):
    op("GeGlu", ge_glu, shapes=ROWS, dim=-1, approximate=approximate)
    op("GeGluBackward", ge_glu_gradient, inputs=with_kept(ROWS[:3], -1), result="same", dim=-1, approximate=approximate)
    for left in (False, True):
        op("GeGluV3", ge_glu, shapes=MIDDLE, dim=1, approximate=approximate, activateLeft=left)
        op(
            "GeGluV3Backward",
            ge_glu_gradient,
            inputs=with_kept(MIDDLE, 1),
            result="same",
            dim=1,
            approximate=approximate,
            activateLeft=left,
        )

for kind in ("none", "tanh"):
    op(
        "GeluMul",
        lambda x, approximateOptional: F.gelu(x.chunk(2, -1)[0], approximate=approximateOptional) * x.chunk(2, -1)[1],
        shapes=ROWS,
        approximateOptional=kind,
    )
for dtype in FLOATS:
    op(
        "FatreluMul",
        lambda x, threshold: F.threshold(x.chunk(2, -1)[0], float(threshold), 0) * x.chunk(2, -1)[1],
        dtypes=(dtype,),
        shapes=ROWS,
        threshold=torch.tensor([0.75], dtype=dtype),
    )


def clipped(x, groupIndexOptional=None, dim=-1, alpha=1.0, limit=1.0, bias=0.0, interleaved=False, clampMode=0):
    gate, linear = parts(x, dim, interleaved)
    gate = torch.where(gate.isnan(), gate, gate.clamp(max=limit))
    return gate * torch.sigmoid(alpha * gate) * (linear.clamp(-limit, limit) + bias)


for interleaved in (False, True):
    more = {"groupIndexOptional": None, "dim": -1, "alpha": 1.702, "limit": 2.5, "bias": 1.0, "interleaved": interleaved}
    op("ClippedSwiglu", clipped, dtypes=FLOATS, shapes=ROWS, **more)
    op("ClippedSwigluV2", clipped, dtypes=FLOATS, shapes=ROWS, clampMode=0, **more)
    grads = gradient_and_operand(ROWS[:3], -1)
    op("ClippedSwigluGrad", gradient(clipped), dtypes=FLOATS, inputs=grads, result="same", **more)

for limit in (0.0, 2.0):
    clamp = limit or float("inf")
    op(
        "SwigluGroup",
        lambda x, clampLimit, clamp=clamp, **_: clipped(x, limit=clamp),
        dtypes=FLOATS,
        shapes=ROWS,
        weightOptional=None,
        groupIndexOptional=None,
        clampLimit=limit,
    )
    for name in ("SwigluGroupGrad", "SwigluGroupQuantGrad"):
        op(
            name,
            gradient(lambda x, clampLimit, clamp=clamp, **_: clipped(x, limit=clamp)),
            dtypes=FLOATS,
            inputs=gradient_and_operand(ROWS[:3], -1),
            result="same",
            weightOptional=None,
            yOriginOptional=None,
            groupIndexOptional=None,
            clampLimit=limit,
            gradWeightOutOptional=None,
        )

if __name__ == "__main__":
    main()
