"""Windows over images: means and maxima."""

import torch
import torch.nn.functional as F

from golden import FLOATS, main, op

IMAGES = [(2, 3, 11, 13), (3, 9, 10)]
VOLUMES = [(2, 3, 6, 7, 9), (2, 5, 6, 8)]


def average(pool):
    def meaning(x, kernelSize, ceilMode, countIncludePad, divisorOverride, cubeMathType=0, **names):
        stride = names.get("strides", names.get("stride"))
        padding = names.get("paddings", names.get("padding"))
        return pool(x, kernelSize, stride or None, padding, ceilMode, countIncludePad, divisorOverride or None)

    return meaning


for kernel, stride, padding in (([3, 2], [2, 2], [1, 1]), ([4], [], [2]), ([2, 3], [3, 1], [0, 1])):
    for ceil, include, divisor in ((False, True, 0), (True, False, 0), (True, True, 0), (False, True, 5)):
        op(
            "AvgPool2d",
            average(F.avg_pool2d),
            dtypes=FLOATS,
            shapes=IMAGES,
            kernelSize=kernel,
            strides=stride,
            paddings=padding,
            ceilMode=ceil,
            countIncludePad=include,
            divisorOverride=divisor,
            cubeMathType=0,
        )
for ceil, include, divisor in ((False, True, 0), (True, False, 0), (True, True, 7)):
    op(
        "AvgPool3d",
        average(F.avg_pool3d),
        dtypes=FLOATS,
        shapes=VOLUMES,
        kernelSize=[2, 3, 4],
        stride=[2, 1, 3],
        padding=[1, 1, 2],
        ceilMode=ceil,
        countIncludePad=include,
        divisorOverride=divisor,
    )


def maximum(pool):
    def meaning(x, kernelSize, stride, padding, dilation, ceilMode):
        return pool(x, kernelSize, stride or None, padding, dilation, ceilMode, return_indices=True)

    return meaning


for kernel, stride, padding, dilation, ceil in (
    ([3, 3], [2, 2], [1, 1], [1, 1], False),
    ([2, 3], [], [1, 0], [2, 2], True),
    ([3], [1], [1], [1], True),
):
    op(
        "MaxPool2dWithIndices",
        maximum(F.max_pool2d),
        dtypes=FLOATS,
        shapes=IMAGES,
        kernelSize=kernel,
        stride=stride,
        padding=padding,
        dilation=dilation,
        ceilMode=ceil,
    )
for ceil in (False, True):
    op(
        "MaxPool3dWithArgmax",
        maximum(F.max_pool3d),
        dtypes=FLOATS,
        shapes=VOLUMES,
        kernelSize=[2, 3, 3],
        stride=[2, 2, 1],
        padding=[1, 1, 0],
        dilation=[1, 1, 2],
        ceilMode=ceil,
    )
op(
    "MaxPool",
    lambda x, kernelShape, strides, autoPad, pads, dilations, ceilMode: F.max_pool2d(
        x, kernelShape, strides, [1, 0], 1, bool(ceilMode)
    ),
    dtypes=FLOATS,
    shapes=IMAGES,
    kernelShape=[3, 2],
    strides=[2, 1],
    autoPad=0,
    pads=[1, 0, 1, 0],
    dilations=[1, 1],
    ceilMode=0,
)

for index in (torch.int32, torch.int64):
    op(
        "MaxPoolWithArgmaxV3",
        lambda x, kernelSize, strides, pads, dilations, ceilMode, index=index: [
            one if at == 0 else one.to(index)
            for at, one in enumerate(
                F.max_pool2d(x, kernelSize, strides, pads, dilations, ceilMode, return_indices=True)
            )
        ],
        dtypes=FLOATS,
        shapes=IMAGES,
        kernelSize=[3, 2],
        strides=[2, 3],
        pads=[1, 0],
        dilations=[1, 2],
        ceilMode=True,
    )
for ceil in (False, True):
    op(
        "MaxPoolV3",
        lambda x, ksize, strides, pads, ceilMode: F.max_pool2d(x, ksize, strides, [1, 0], 1, ceilMode),
        dtypes=FLOATS,
        shapes=IMAGES,
        ksize=[3, 2],
        strides=[2, 1],
        pads=[1, 1, 0, 0],
        ceilMode=ceil,
    )
op(
    "MaxPool3D",
    lambda x, ksize, strides, dilationOptional, **_: F.max_pool3d(x, ksize, strides, [1, 1, 0], dilationOptional),
    dtypes=FLOATS,
    shapes=VOLUMES[:1],
    ksize=[2, 3, 3],
    strides=[2, 2, 1],
    padding="CALCULATED",
    padsOptional=[1, 1, 1, 1, 0, 0],
    dilationOptional=[1, 1, 2],
    ceilMode=0,
    dataFormatOptional="NCDHW",
)
op(
    "MaxPool3D",
    lambda x, ksize, strides, **_: F.max_pool3d(x.movedim(-1, 1), ksize[1:4], strides[1:4]).movedim(1, -1),
    dtypes=FLOATS,
    shapes=VOLUMES[:1],
    ksize=[1, 2, 3, 2, 1],
    strides=[1, 2, 1, 3, 1],
    padding="VALID",
    padsOptional=None,
    dilationOptional=None,
    ceilMode=0,
    dataFormatOptional="NDHWC",
)

for size in ([3, 5], [1, 1], [13, 4]):
    op(
        "AdaptiveAvgPool2d",
        lambda x, outputSize: F.adaptive_avg_pool2d(x, outputSize),
        dtypes=FLOATS,
        shapes=IMAGES,
        outputSize=size,
    )
    op(
        "AdaptiveMaxPool2d",
        lambda x, outputSize: F.adaptive_max_pool2d(x, outputSize, return_indices=True),
        shapes=IMAGES,
        outputSize=size,
    )
for size in ([3, 5, 2], [1, 1, 1]):
    op(
        "AdaptiveAvgPool3d",
        lambda x, outputSize: F.adaptive_avg_pool3d(x, outputSize),
        dtypes=FLOATS,
        shapes=VOLUMES,
        outputSize=size,
    )
    op(
        "AdaptiveMaxPool3d",
        lambda x, outputSize: F.adaptive_max_pool3d(x, outputSize, return_indices=True),
        dtypes=FLOATS,
        shapes=VOLUMES,
        outputSize=size,
    )

op(
    "GlobalAveragePool",
    lambda x: x.flatten(2).mean(2).reshape(x.shape[:2] + (1,) * (x.dim() - 2)),
    shapes=[(2, 3, 7, 11), (2, 5, 131), (1, 2, 3, 4, 5)],
)
op(
    "GlobalMaxPool",
    lambda x: x.flatten(2).amax(2).reshape(x.shape[:2] + (1,) * (x.dim() - 2)),
    shapes=[(2, 3, 7, 11), (2, 5, 131), (1, 2, 3, 4, 5)],
)

if __name__ == "__main__":
    main()
