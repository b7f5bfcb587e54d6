"""Convolutions over one, two and three dims."""

import torch

from golden import FLOATS, main, op, values


def tensors(*lists):
    def make(generator, dtype):
        for shapes in lists:
            yield [values(shape, dtype, (-1.0, 1.0), generator) for shape in shapes]

    return make


def convolution(x, w, b=None, stride=None, padding=None, dilation=None, transposed=None, outputPadding=None, groups=None,
                cubeMathType=None, bias=None):
    return torch.convolution(x, w, b, stride, padding, dilation, transposed, outputPadding, groups)


def padded(x, w, b, padding, **attributes):
    """Two values of padding for each dim: torch pads before."""
    dims = len(padding) // 2
    pads = [one for dim in range(dims - 1, -1, -1) for one in padding[2 * dim : 2 * dim + 2]]
    return convolution(torch.nn.functional.pad(x, pads), w, b, padding=[0] * dims, **attributes)


def gradient(
    dy, x, w, biasSizes, stride, padding, dilation, transposed, outputPadding, groups, outputMask, cubeMathType
):
    return torch.ops.aten.convolution_backward(
        dy, x, w, biasSizes, stride, padding, dilation, transposed, outputPadding, groups, outputMask
    )


def conv(shapes, stride, padding, dilation, transposed=False, outputPadding=None, groups=1, **more):
    for with_bias in (True, False):
        op(
            "Convolution",
            convolution,
            dtypes=FLOATS,
            inputs=tensors(shapes if with_bias else shapes[:2]),
            stride=stride,
            padding=padding,
            dilation=dilation,
            transposed=transposed,
            outputPadding=outputPadding or [0] * len(stride),
            groups=groups,
            cubeMathType=0,
            **({} if with_bias else {"bias": None}),
            **more,
        )
    x, w = (torch.zeros(shape) for shape in shapes[:2])
    longer = outputPadding or [0] * len(stride)
    dy = torch.convolution(x, w, None, stride, padding, dilation, transposed, longer, groups)
    op(
        "ConvolutionBackward",
        gradient,
        dtypes=FLOATS,
        inputs=tensors((tuple(dy.shape), *shapes[:2])),
        magnitude=1.0,
        biasSizes=[dy.shape[1]],
        stride=stride,
        padding=padding,
        dilation=dilation,
        transposed=transposed,
        outputPadding=outputPadding or [0] * len(stride),
        groups=groups,
        outputMask=[True] * 3,
        cubeMathType=0,
    )


conv(((2, 5, 9, 11), (7, 5, 3, 3), (7,)), [1, 1], [1, 1], [1, 1])
conv(((2, 3, 16, 16), (16, 3, 7, 7), (16,)), [2, 2], [3, 3], [1, 1])
conv(((2, 16, 8, 8), (24, 16, 1, 1), (24,)), [1, 1], [0, 0], [1, 1])
conv(((2, 16, 9, 8), (24, 16, 1, 1), (24,)), [2, 2], [0, 0], [1, 1])
conv(((2, 6, 9, 11), (8, 3, 3, 2), (8,)), [1, 2], [2, 1], [2, 1], groups=2)
conv(((2, 6, 9, 11), (12, 1, 3, 3), (12,)), [1, 1], [1, 1], [1, 1], groups=6)
conv(((2, 5, 31), (7, 5, 4), (7,)), [2], [3], [2])
conv(((1, 3, 6, 7, 8), (4, 3, 2, 3, 3), (4,)), [1, 2, 1], [1, 1, 0], [1, 1, 2])
conv(((2, 5, 6, 7), (5, 4, 3, 3), (4,)), [2, 2], [1, 1], [1, 1], transposed=True, outputPadding=[1, 0])
conv(((2, 6, 6, 7), (6, 2, 3, 4), (4,)), [2, 3], [1, 2], [2, 1], transposed=True, outputPadding=[1, 2], groups=2)
conv(((2, 6, 6, 7), (6, 1, 3, 3), (6,)), [2, 2], [1, 1], [1, 1], transposed=True, outputPadding=[1, 1], groups=6)
conv(((2, 5, 13), (5, 4, 4), (4,)), [3], [1], [2], transposed=True, outputPadding=[2])
conv(((1, 3, 4, 5, 6), (3, 4, 2, 3, 3), (4,)), [1, 2, 2], [0, 1, 1], [1, 1, 1], transposed=True, outputPadding=[0, 1, 1])

for shapes, pads in ((((2, 5, 9, 11), (7, 5, 2, 4), (7,)), [0, 1, 1, 2]), (((2, 5, 31), (7, 5, 4), (7,)), [1, 2])):
    dims = len(pads) // 2
    op(
        "Convolution",
        padded,
        dtypes=FLOATS,
        inputs=tensors(shapes),
        stride=[1] * dims,
        padding=pads,
        dilation=[1] * dims,
        transposed=False,
        outputPadding=[0] * dims,
        groups=1,
        cubeMathType=0,
    )

op(
    "ConvDepthwise2d",
    lambda x, w, b, kernelSize, stride, padding, dilation, cubeMathType: torch.conv2d(
        x, w, b, stride, padding, dilation, x.shape[1]
    ),
    dtypes=FLOATS,
    inputs=tensors(((2, 5, 9, 11), (10, 1, 3, 2), (10,)), ((2, 8, 8, 8), (8, 1, 3, 2), (8,))),
    kernelSize=[3, 2],
    stride=[1, 2],
    padding=[1, 1],
    dilation=[2, 1],
    cubeMathType=0,
)
op(
    "ConvTbc",
    lambda x, w, b, pad, cubeMathType: torch.conv_tbc(x.contiguous(), w.contiguous(), b, pad),
    dtypes=FLOATS,
    inputs=tensors(((13, 2, 5), (3, 5, 7), (7,)), ((8, 3, 8), (1, 8, 16), (16,))),
    pad=1,
    cubeMathType=0,
)

if __name__ == "__main__":
    main()
