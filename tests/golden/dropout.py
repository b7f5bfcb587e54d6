"""Masks that are applied, and random slopes without training: what needs no random numbers."""

import torch
import torch.nn.functional as F

from golden import FLOATS, main, op, values

SHAPES = [(7, 11, 5), (1009,), (3, 1, 2)]


def with_mask(generator, dtype):
    for shape in SHAPES:
        x = values(shape, dtype, (-3.0, 3.0), generator)
        size = (x.numel() + 127) // 128 * 16
        yield [x, torch.randint(0, 256, (size,), generator=generator).to(torch.uint8)]


def bits_of(mask, x):
    bits = torch.arange(x.numel())
    return (mask[bits // 8].long() >> (bits % 8) & 1).reshape(x.shape).bool()


def backward(x, mask, scale):
    return torch.ops.aten.native_dropout_backward(x.double(), bits_of(mask, x), scale)


for scale in (1.0, 1.25, 4.0):
    op("DropoutBackward", backward, dtypes=FLOATS, inputs=with_mask, result="same", scale=scale)
    op("DropoutV3Grad", backward, dtypes=FLOATS, inputs=with_mask, result="same", scale=scale)
for prob in (0.0, 0.25, 0.9):
    op(
        "DropoutDoMask",
        lambda x, mask, prob: backward(x, mask, 1 / (1 - prob)),
        dtypes=FLOATS,
        inputs=with_mask,
        result="same",
        prob=prob,
    )


def pairs(generator, dtype):
    for shape in SHAPES:
        x = values(shape, dtype, None, generator)
        yield [x, torch.ones_like(x)]


op(
    "RReluWithNoise",
    lambda x, noise, lower, upper, training, seed, offset: F.rrelu(x, lower, upper, training),
    dtypes=FLOATS,
    inputs=pairs,
    lower=0.125,
    upper=0.375,
    training=False,
    seed=1,
    offset=0,
)

if __name__ == "__main__":
    main()
