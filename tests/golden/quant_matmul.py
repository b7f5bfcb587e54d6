"""Products of quantised matrices, and what prepares them."""

import torch

from golden import main, op, values


def integers(generator, *shape):
    return torch.randint(-127, 128, shape, generator=generator).to(torch.int8)


def reals(generator, *shape, dtype=torch.float32):
    return values(shape, dtype, (0.25, 2.0), generator)


def product(x1, x2):
    return x1.double() @ x2.double()


def quantised(*others):
    """Two factors of INT8 and what follows them, made from the number of rows and of columns."""

    def make(generator, dtype):
        for rows, depth, columns in ((17, 64, 24), (1, 256, 130), (5, 31, 8)):
            factors = [integers(generator, rows, depth), integers(generator, depth, columns)]
            yield factors + [other(generator, rows, columns) for other in others]

    return make


def of_columns(generator, rows, columns):
    return reals(generator, columns)


def of_rows(generator, rows, columns):
    return reals(generator, rows)


PLAIN = dict(dtypes=(torch.int8,), transposeX1=False, transposeX2=False)
LEFT = dict(yScale=None, x1Offset=None, x2Offset=None, yOffset=None, bias=None, groupSize=0)

op(
    "QuantMatmulV4",
    lambda x1, x2, scale, rows, **_: product(x1, x2) * scale * rows[:, None],
    inputs=quantised(of_columns, of_rows),
    result=torch.bfloat16,
    offset=None,
    bias=None,
    **PLAIN,
)
for name in ("QuantMatmulV5", "QuantMatmulWeightNz"):
    op(
        name,
        lambda x1, x2, rows, scale, **_: product(x1, x2) * scale * rows[:, None],
        inputs=quantised(of_rows, of_columns),
        result=torch.bfloat16,
        **LEFT,
        **PLAIN,
    )
op(
    "QuantMatmulReduceSumWeightNz",
    lambda x1, x2, rows, scale, **_: (product(x1, x2) * scale.double() * rows[:, :, None]).sum(0),
    inputs=lambda generator, dtype: [
        [
            integers(generator, 3, 17, 64),
            integers(generator, 3, 64, 24),
            reals(generator, 3, 17),
            reals(generator, 24, dtype=torch.bfloat16),
        ]
    ],
    result=torch.bfloat16,
    dims=[0],
    keepDims=False,
    **LEFT,
    **PLAIN,
)


def dequantised(mode):
    """x becomes INT8 by a float, as on the device; the rest is exact."""

    def meaning(x, weight, scale, smooth, **_):
        x = x.float() * smooth.float()
        most = x.abs().amax(dim=1, keepdim=True) if mode == "pertoken" else x.abs().max()
        own = most / 127
        return product((x / own).round(), weight) * scale * own

    return meaning


for mode in ("pertoken", "pertensor"):
    op(
        "QuantMatmulDequant",
        dequantised(mode),
        dtypes=(torch.float16,),
        inputs=lambda generator, dtype: [
            [
                values((17, 64), dtype, (-5.0, 5.0), generator),
                integers(generator, 64, 24),
                reals(generator, 24) / 1024,
                reals(generator, 64, dtype=torch.float16),
            ]
        ],
        result=torch.float16,
        biasOptional=None,
        xScaleOptional=None,
        xOffsetOptional=None,
        xQuantMode=mode,
        transposeWeight=False,
    )
op(
    "WeightQuantBatchMatmul",
    lambda x1, x2, bias, **_: product(x1, (x2.double() + 3) / 64) + bias,
    inputs=lambda generator, dtype: [
        [values((2, 17, 64), dtype, (0.25, 2.0), generator), integers(generator, 2, 64, 24).abs(), reals(generator, 24, dtype=dtype)]
    ],
    result=torch.float16,
    diagonalMatrix=None,
    deqOffset=None,
    deqScale=None,
    addOffset=None,
    mulScale=None,
    antiquantScale=1 / 64,
    antiquantOffset=3.0,
    **{**PLAIN, "dtypes": (torch.float16,)},
)


def word(scale, offset, **_):
    low = scale.float().view(torch.int32).long() & 0xFFFFE000
    return low | (offset.round().clamp(-256, 255).long() & 0x1FF) << 37 | 1 << 46


for name, attributes in (("TransQuantParamV2", {}), ("TransQuantParamV3", {"roundMode": 0})):
    op(
        name,
        word,
        dtypes=(torch.float32,),
        inputs=lambda generator, dtype: [
            [values((130,), dtype, (-5.0, 5.0), generator), values((130,), dtype, (-300.0, 300.0), generator)]
        ],
        result=torch.int64,
        **attributes,
    )
op(
    "ConvertWeightToINT4Pack",
    lambda weight: sum((weight.long()[..., i::8] & 15) << 4 * i for i in range(8)).to(torch.int32),
    dtypes=(torch.int32,),
    inputs=lambda generator, dtype: [[torch.randint(-20, 20, (40, 72), generator=generator).to(torch.int32)]],
)
op(
    "TransformBiasRescaleQkv",
    lambda qkv, bias, numHeads: torch._transform_bias_rescale_qkv(qkv, bias, numHeads),
    inputs=lambda generator, dtype: [
        [values((2, 7, 3 * 24), dtype, (-5.0, 5.0), generator), values((3 * 24,), dtype, (-5.0, 5.0), generator)]
    ],
    result="same",
    numHeads=3,
)


def with_adapters(y, x, b, indices, a, layerIdx, scale, yOffset, ySliceSize):
    result = y.clone()
    for row, named in enumerate(indices.tolist()):
        if named >= 0:
            part = b[named, layerIdx] @ (a[named, layerIdx] @ x[row])
            result[row, yOffset : yOffset + ySliceSize] += scale * part
    return result


op(
    "AddLora",
    with_adapters,
    dtypes=(torch.float16,),
    inputs=lambda generator, dtype: [
        [
            reals(generator, 7, 31, dtype=dtype),
            reals(generator, 7, depth, dtype=dtype),
            reals(generator, 3, 2, 24, rank, dtype=dtype),
            torch.tensor([0, 2, -1, 1, 1, 0, 2], dtype=torch.int32),
            reals(generator, 3, 2, rank, depth, dtype=dtype),
        ]
        for depth, rank in ((64, 8), (37, 5))
    ],
    result="same",
    layerIdx=1,
    scale=0.5,
    yOffset=5,
    ySliceSize=24,
)
op(
    "TransposeBatchMatMul",
    lambda x1, x2, **_: torch.bmm(x1.transpose(0, 1), x2).transpose(0, 1),
    inputs=lambda generator, dtype: [[reals(generator, 17, 4, 32, dtype=dtype), reals(generator, 4, 32, 24, dtype=dtype)]],
    dtypes=(torch.float32, torch.float16, torch.bfloat16),
    result="same",
    bias=None,
    scale=None,
    permX1=[1, 0, 2],
    permX2=[0, 1, 2],
    permY=[1, 0, 2],
    cubeMathType=0,
    batchSplitFactor=1,
)

if __name__ == "__main__":
    main()
