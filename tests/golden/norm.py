"""Normalisations of batches, and gradients of normalisations."""

import torch

from golden import FLOATS, main, op, values

ALL = (-2.0, 2.0)
POSITIVE = (0.2, 2.0)
ALL_THREE = [True, True, True]
aten = torch.ops.aten


def tensors(*parts):
    """Each part is a shape, and the domain of its values."""

    def make(generator, dtype):
        yield [values(shape, dtype, domain, generator) for shape, domain in parts]

    return make


def layer(dy, x, mean, rstd, weight, bias, normalizedShape, outputMask):
    return aten.native_layer_norm_backward(dy, x, normalizedShape, mean, rstd, weight, bias, outputMask)


def group(dy, x, mean, rstd, gamma, N, C, HxW, group, outputMask):
    dy, x, mean, rstd, gamma = (one.contiguous() for one in (dy, x, mean, rstd, gamma))
    return aten.native_group_norm_backward(dy, x, mean, rstd, gamma, N, C, HxW, group, outputMask)


def batch(dy, x, weight, mean, var, saved_mean, saved_var, training, eps, outputMask):
    saved = 1 / (saved_var + eps).sqrt()  # the operators keep the variance
    return aten.native_batch_norm_backward(dy, x, weight, mean, var, saved_mean, saved, training, eps, outputMask)


def ada_layer(dy, x, rstd, mean, scale, shift, weight, bias, normalizedShape):
    inner = dy * (1 + scale)
    dx, dweight, dbias = aten.native_layer_norm_backward(inner, x, normalizedShape, mean, rstd, weight, bias, ALL_THREE)
    modulated = (x - mean) * rstd * weight + bias
    return dx, (dy * modulated).sum(1, keepdim=True), dy.sum(1, keepdim=True), dweight, dbias


def group_of_rows(x, dy, gamma, mean, rstd):
    normal = (x - mean) * rstd
    sums = (dy * gamma).mean(-1, keepdim=True) + normal * (dy * gamma * normal).mean(-1, keepdim=True)
    return rstd * gamma * (dy - sums)


op(
    "LayerNormBackward",
    layer,
    dtypes=FLOATS,
    inputs=tensors(
        ((7, 5, 33), ALL), ((7, 5, 33), ALL), ((7, 5, 1), ALL), ((7, 5, 1), POSITIVE), ((33,), ALL), ((33,), ALL)
    ),
    normalizedShape=[33],
    outputMask=ALL_THREE,
    tolerance=2.0**-6,
)
op(
    "AdaLayerNormBackward",
    ada_layer,
    dtypes=FLOATS,
    inputs=tensors(
        ((3, 5, 33), ALL),
        ((3, 5, 33), ALL),
        ((3, 5, 1), POSITIVE),
        ((3, 5, 1), ALL),
        ((3, 1, 33), ALL),
        ((3, 1, 33), ALL),
        ((33,), ALL),
        ((33,), ALL),
    ),
    normalizedShape=[33],
    tolerance=2.0**-6,
    magnitude=1.0,
    result="same",
)
op(
    "GroupNormalizationGrad",
    group_of_rows,
    dtypes=FLOATS,
    inputs=tensors(((3, 5, 37), ALL), ((3, 5, 37), ALL), ((1, 5, 37), ALL), ((3, 5, 1), ALL), ((3, 5, 1), POSITIVE)),
    tolerance=2.0**-6,
    magnitude=1.0,
    result="same",
)
op(
    "GroupNormBackward",
    group,
    dtypes=FLOATS,
    inputs=tensors(((3, 12, 5, 7), ALL), ((3, 12, 5, 7), ALL), ((3, 4), ALL), ((3, 4), POSITIVE), ((12,), ALL)),
    N=3,
    C=12,
    HxW=35,
    group=4,
    outputMask=ALL_THREE,
    tolerance=2.0**-6,
)
for training in (True, False):
    op(
        "BatchNormBackward",
        batch,
        dtypes=FLOATS,
        inputs=tensors(
            ((3, 5, 7, 11), ALL),
            ((3, 5, 7, 11), ALL),
            ((5,), ALL),
            ((5,), ALL),
            ((5,), POSITIVE),
            ((5,), ALL),
            ((5,), POSITIVE),
        ),
        training=training,
        eps=1e-3,
        outputMask=ALL_THREE,
        tolerance=2.0**-6,
    )

op(
    "BatchNormalizationGrad",
    lambda dy, x, weight, bias, mean, invstd, epsilon: aten.native_batch_norm_backward(
        dy, x, weight, None, None, mean, invstd, True, epsilon, ALL_THREE
    ),
    dtypes=FLOATS,
    inputs=tensors(
        ((3, 5, 7, 11), ALL), ((3, 5, 7, 11), ALL), ((5,), ALL), ((5,), ALL), ((5,), ALL), ((5,), POSITIVE)
    ),
    epsilon=1e-3,
    tolerance=2.0**-6,
)
op(
    "BNInferGrad",
    lambda dy, scale, variance, epsilon: aten.native_batch_norm_backward(
        dy, dy, scale, torch.zeros_like(variance), variance, None, None, False, epsilon, [True, False, False]
    )[0],
    dtypes=FLOATS,
    inputs=tensors(((3, 5, 7, 11), ALL), ((5,), ALL), ((5,), POSITIVE)),
    epsilon=1e-3,
    tolerance=2.0**-6,
)

if __name__ == "__main__":
    main()
