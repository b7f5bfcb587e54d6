"""Images at other sizes, samples of them, and gradients of windows and paddings, which torch finds by autograd."""

import torch
import torch.nn.functional as F

from golden import FLOATS, main, op, values


def gradient(forward, x, *gradients):
    """Of x, where forward's result has these gradients."""
    x = x.detach().clone().requires_grad_(True)
    return torch.autograd.grad(forward(x), x, gradients)[0]


def zeros(shape, like):
    return torch.zeros(shape, dtype=like.dtype)


# --- sizes ---

DOMAIN = (-5.0, 5.0)  # without infinity: where rows repeat at an edge, their weights are summed before
FULL = {1: "linear", 2: "bilinear", 3: "trilinear"}
SCALES = {1: ("scales",), 2: ("scalesH", "scalesW"), 3: ("scalesD", "scalesH", "scalesW")}


def resized(x, mode, outputSize, alignCorners=None, antialias=False):
    if mode in ("nearest", "nearest-exact"):
        return F.interpolate(x, outputSize, mode=mode)
    return F.interpolate(x, outputSize, mode=mode, align_corners=alignCorners, antialias=antialias)


def pair(forward, backward, dims, mode, sizes, antialias=False, corners=(False, True)):
    """An upsampling, where it is not tested elsewhere, and its gradient."""
    for before, after in sizes:
        for alignCorners in corners:
            attributes = {} if alignCorners is None else {"alignCorners": alignCorners}
            shape = (2, 3, *before)

            def meaning(x, outputSize, alignCorners=None, **_):
                return resized(x, mode, outputSize, alignCorners, antialias)

            def back(g, outputSize, inputSize, alignCorners=None, **_):
                return gradient(
                    lambda x: resized(x, mode, outputSize, alignCorners, antialias), zeros(inputSize, g), g
                )

            scales = {name: 0.0 for name in SCALES[dims]}
            if forward:
                own = {"scale": 0.0} if dims == 1 else scales
                op(
                    forward,
                    meaning,
                    dtypes=FLOATS,
                    shapes=[shape],
                    domain=DOMAIN,
                    magnitude=1.0,
                    outputSize=list(after),
                    **attributes,
                    **own,
                )
            op(
                backward,
                back,
                dtypes=FLOATS,
                shapes=[(2, 3, *after)],
                domain=DOMAIN,
                magnitude=1.0,
                outputSize=list(after),
                inputSize=list(shape),
                **attributes,
                **scales,
            )


LINES = [((7,), (19,)), ((19,), (7,)), ((7,), (14,))]
PLANES = [((5, 7), (11, 13)), ((11, 13), (5, 7)), ((4, 9), (8, 3))]
VOLUMES = [((3, 5, 4), (7, 6, 11)), ((7, 6, 11), (3, 5, 4))]
pair("UpsampleLinear1d", "UpsampleLinear1dBackward", 1, "linear", LINES)
pair("UpsampleBilinear2d", "UpsampleBilinear2dBackward", 2, "bilinear", PLANES)
pair(None, "UpsampleBilinear2dBackwardV2", 2, "bilinear", PLANES)
pair("UpsampleTrilinear3d", "UpsampleTrilinear3dBackward", 3, "trilinear", VOLUMES)
pair("UpsampleBicubic2d", "UpsampleBicubic2dBackward", 2, "bicubic", PLANES)
pair("UpsampleBilinear2dAA", "UpsampleBilinear2dAABackward", 2, "bilinear", PLANES, antialias=True)
pair("UpsampleBicubic2dAA", "UpsampleBicubic2dAAGrad", 2, "bicubic", PLANES, antialias=True)
for exact, mode in (("", "nearest"), ("Exact", "nearest-exact")):
    for dims, sizes in ((1, LINES), (2, PLANES), (3, VOLUMES)):
        pair(None, f"UpsampleNearest{exact}{dims}dBackward", dims, mode, sizes, corners=(None,))


# --- grids ---


def image_and_grid(image, points, with_gradient=False):
    def make(generator, dtype):
        grid = values((2, *points, len(image)), dtype, (-1.3, 1.3), generator)
        x = values((2, 3, *image), dtype, (-5.0, 5.0), generator)
        yield [values((2, 3, *points), dtype, (-5.0, 5.0), generator), x, grid] if with_gradient else [x, grid]

    return make


def sampled(x, grid, interpolationMode, paddingMode, alignCorners, **_):
    mode = ("bilinear", "nearest", "bicubic")[interpolationMode]
    padding = ("zeros", "border", "reflection")[paddingMode]
    return F.grid_sample(x, grid, mode, padding, alignCorners)


def sampled_gradients(g, x, grid, outputMask, **attributes):
    x = x.detach().clone().requires_grad_(True)
    grid = grid.detach().clone().requires_grad_(True)
    return torch.autograd.grad(sampled(x, grid, **attributes), (x, grid), g)


for image, points in (((5, 7), (3, 11)), ((3, 5, 4), (2, 3, 5))):
    for interpolation in (0, 1, 2) if len(image) == 2 else (0, 1):
        for padding in (0, 1, 2):
            for corners in (False, True):
                attributes = {"interpolationMode": interpolation, "paddingMode": padding, "alignCorners": corners}
                name = f"GridSampler{len(image)}D"
                op(
                    name,
                    sampled,
                    dtypes=(torch.float32,),
                    magnitude=1.0,
                    inputs=image_and_grid(image, points),
                    **attributes,
                )
                op(
                    name + "Backward",
                    sampled_gradients,
                    dtypes=(torch.float32,),
                    magnitude=8.0,
                    inputs=image_and_grid(image, points, with_gradient=True),
                    outputMask=[True, True],
                    **attributes,
                )


for size in ([2, 3, 5, 7], [3, 1, 1, 4], [2, 1, 3, 5, 4]):
    for corners in (False, True):
        matrices = (size[0], len(size) - 2, len(size) - 1)
        op(
            "AffineGrid",
            lambda theta, size, alignCorners: F.affine_grid(theta, size, alignCorners),
            dtypes=FLOATS,
            magnitude=1.0,
            inputs=lambda generator, dtype, shape=matrices: [[values(shape, dtype, (-2.0, 2.0), generator)]],
            result="same",
            size=size,
            alignCorners=corners,
        )


# --- windows ---


def two(shape, other):
    """A gradient and what it is the gradient of."""
    return lambda generator, dtype: [
        [values(shape, dtype, (-5.0, 5.0), generator), values(other, dtype, (-5.0, 5.0), generator)]
    ]


def average(pool):
    def meaning(g, x, kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride, **_):
        return gradient(
            lambda x: pool(x, kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride or None), x, g
        )

    return meaning


for ceil, include, divisor in ((False, True, 0), (True, False, 0), (True, True, 5)):
    window = {"ceilMode": ceil, "countIncludePad": include, "divisorOverride": divisor}
    shape = F.avg_pool2d(torch.zeros(2, 3, 10, 12), [3, 4], [2, 3], [1, 2], ceil).shape
    op(
        "AvgPool2dBackward",
        average(F.avg_pool2d),
        dtypes=FLOATS,
        inputs=two(shape, (2, 3, 10, 12)),
        kernelSize=[3, 4],
        stride=[2, 3],
        padding=[1, 2],
        cubeMathType=0,
        **window,
    )
    op(
        "AveragePoolingGrad",
        lambda g, origInputShape, ceilMode, countIncludePad, divisorOverride, **_: gradient(
            lambda x: F.avg_pool2d(x, [3, 4], [2, 3], [1, 2], ceilMode, countIncludePad, divisorOverride or None),
            zeros(origInputShape, g),
            g,
        ),
        dtypes=(torch.float32, torch.float16),
        shapes=[tuple(shape)],
        origInputShape=[2, 3, 10, 12],
        kernelH=3,
        kernelW=4,
        strideH=2,
        strideW=3,
        padTop=1,
        padBottom=1,
        padLeft=2,
        padRight=2,
        **window,
    )
    shape = F.avg_pool3d(torch.zeros(2, 6, 7, 9), [2, 3, 4], [2, 1, 3], [1, 1, 2], ceil).shape
    op(
        "AvgPool3dBackward",
        average(F.avg_pool3d),
        dtypes=FLOATS,
        inputs=two(shape, (2, 6, 7, 9)),
        kernelSize=[2, 3, 4],
        stride=[2, 1, 3],
        padding=[1, 1, 2],
        **window,
    )
op(
    "AdaptiveAvgPool2dBackward",
    lambda g, x: gradient(lambda x: F.adaptive_avg_pool2d(x, g.shape[-2:]), x, g),
    dtypes=FLOATS,
    inputs=two((2, 3, 4, 5), (2, 3, 11, 13)),
)
op(
    "AdaptiveAvgPool3dBackward",
    lambda g, x: gradient(lambda x: F.adaptive_avg_pool3d(x, g.shape[-3:]), x, g),
    dtypes=FLOATS,
    inputs=two((2, 3, 4, 5), (2, 7, 11, 13)),
)

# --- paddings and columns ---

for kind, mode in (("Reflection", "reflect"), ("Replication", "replicate"), ("Circular", "circular")):
    for dims, padding in ((1, [2, 5]), (2, [2, 4, 3, 0]), (3, [1, 2, 0, 3, 2, 1])):
        if kind == "Circular" and dims == 1:
            continue
        size = (7, 6, 5)[:dims][::-1]
        wide = [n + padding[-2 - 2 * i] + padding[-1 - 2 * i] for i, n in enumerate(size)]
        op(
            f"{kind}Pad{dims}dBackward",
            lambda g, x, padding, mode=mode: gradient(lambda x: F.pad(x, padding, mode=mode), x, g),
            dtypes=FLOATS,
            inputs=two((2, 3, *wide), (2, 3, *size)),
            padding=padding,
        )
op(
    "Im2colBackward",
    lambda g, inputSize, kernelSize, dilation, padding, stride: F.fold(
        g, inputSize, kernelSize, dilation, padding, stride
    ),
    dtypes=FLOATS,
    shapes=[(2, 18, 5 * 13)],
    inputSize=[11, 13],
    kernelSize=[3, 2],
    dilation=[1, 2],
    padding=[0, 1],
    stride=[2, 1],
)
op(
    "Col2Im",
    lambda col, outputH, outputW, kernelH, kernelW, strideVal, paddingVal, dilationVal: F.fold(
        col, (outputH, outputW), (kernelH, kernelW), dilationVal, paddingVal, strideVal
    ),
    dtypes=FLOATS,
    shapes=[(2, 18, 5 * 7)],
    outputH=11,
    outputW=13,
    kernelH=3,
    kernelW=2,
    strideVal=2,
    paddingVal=1,
    dilationVal=2,
)
op(
    "UnfoldGrad",
    lambda g, inputSizes, dim, size, step: gradient(lambda x: x.unfold(dim, size, step), zeros(inputSizes, g), g),
    dtypes=FLOATS,
    shapes=[(3, 4, 5, 4)],
    inputSizes=[3, 11, 5],
    dim=1,
    size=4,
    step=2,
)

# --- indices ---


def embedding_gradient(g, indices, numWeights, paddingIdx, scaleGradByFreq):
    return torch.ops.aten.embedding_dense_backward(g, indices, numWeights, paddingIdx, scaleGradByFreq)


for padding, scale in ((3, False), (100, True)):
    op(
        "EmbeddingDenseBackward",
        embedding_gradient,
        dtypes=FLOATS,
        inputs=lambda generator, dtype: [
            [values((7, 13, 5), dtype, (1.0, 5.0), generator), torch.randint(0, 11, (7, 13), generator=generator)]
        ],
        numWeights=11,
        paddingIdx=padding,
        scaleGradByFreq=scale,
    )


def pooled_gradient(generator, dtype):
    x = values((2, 3, 11, 13), dtype, (-5.0, 5.0), generator)
    y, indices = F.max_pool2d(x.double(), 3, 2, 1, return_indices=True)
    yield [values(y.shape, dtype, (-5.0, 5.0), generator), x, indices]


op(
    "MaxPool2dWithIndicesBackward",
    lambda g, x, indices, **_: gradient(lambda x: F.max_pool2d(x, 3, 2, 1), x, g),
    dtypes=FLOATS,
    inputs=pooled_gradient,
    kernelSize=[3],
    stride=[2],
    padding=[1],
    dilation=[1],
    ceilMode=False,
)


def unpooled(generator, dtype):
    x = values((2, 3, 4, 5), dtype, (-5.0, 5.0), generator)
    indices = torch.stack([torch.randperm(63, generator=generator)[:20] for _ in range(6)]).view(2, 3, 4, 5)
    yield [x, indices]


op(
    "MaxUnpool2d",
    lambda x, indices, outputSize: torch.ops.aten.max_unpool2d(x, indices, outputSize),
    dtypes=(torch.float32, torch.float16),
    inputs=unpooled,
    outputSize=[7, 9],
)

if __name__ == "__main__":
    main()
