"""Operators that move, repeat, generate and pick elements."""

import torch
import torch.nn.functional as F

from golden import BOOL, COMPLEX, INTEGERS, REALS, main, op, values

ALL = REALS + INTEGERS + BOOL + COMPLEX
CUBE = [(7, 11, 5)]
IMAGE = [(2, 3, 7, 9)]


def op_on(name, meaning, shapes=CUBE, **more):
    op(name, meaning, shapes=shapes, **more)


op_on("Permute", lambda x, dims: x.permute(dims), dims=[2, 0, 1])
op_on("Flip", lambda x, dims: x.flip(dims), dims=[0, -1])
op_on("Roll", lambda x, shifts, dims: x.roll(shifts, dims), shifts=[3, -2], dims=[0, 2])
op_on("Repeat", lambda x, repeats: x.repeat(repeats), repeats=[2, 1, 3, 1])
op_on("Expand", lambda x, size: x.expand(size), shapes=[(7, 1, 5)], size=[2, 7, 11, 5])
op_on("Flatten", lambda x, axis: x.reshape(7, 55), axis=1)
op_on("Slice", lambda x, dim, start, end, step: x[:, start:end:step], dim=1, start=2, end=10, step=3)
op_on(
    "SliceV2",
    lambda x, starts, ends, axes, steps: x[1:6:2, :, 1:4],
    starts=[1, 1],
    ends=[6, 4],
    axes=[0, 2],
    steps=[2, 1],
)
op_on("SplitTensor", lambda x, splitSections, dim: x.split(splitSections, dim), splitSections=4, dim=1)
op_on("SplitWithSize", lambda x, splitSize, dim: x.split(splitSize, dim), splitSize=[4, 1, 6], dim=1)
op_on("Diag", lambda x, diagonal: torch.diag(x, diagonal), shapes=[(7, 11), (13,)], diagonal=2)
op_on("DiagFlat", lambda x, diagonal: torch.diagflat(x, diagonal), shapes=[(7,), (3, 5)], diagonal=-1)
op_on(
    "ChannelShuffle",
    lambda x, groups: x.view(2, 3, 2, 7, 9).transpose(1, 2).reshape(2, 6, 7, 9),
    shapes=[(2, 6, 7, 9)],
    groups=3,
)
op_on("Tril", lambda x, diagonal: torch.tril(x, diagonal), dtypes=REALS + INTEGERS, diagonal=-1)
op_on("Triu", lambda x, diagonal: torch.triu(x, diagonal), dtypes=REALS + INTEGERS, diagonal=2)
op_on("InplaceTril", lambda x, diagonal: torch.tril(x, diagonal), dtypes=REALS + INTEGERS, diagonal=1)
op_on("ConstantPadNd", lambda x, pad, value: F.pad(x, pad, value=value), pad=[1, 2, 0, 3], value=3)
op_on(
    "ReflectionPad2d",
    lambda x, padding: F.pad(x, padding, mode="reflect"),
    shapes=IMAGE,
    dtypes=(torch.float32, torch.float64),
    padding=[1, 2, 3, 0],
)
op_on(
    "ReplicationPad2d",
    lambda x, padding: F.pad(x, padding, mode="replicate"),
    shapes=IMAGE,
    dtypes=(torch.float32, torch.float64),
    padding=[1, 2, 3, 0],
)
op_on(
    "CircularPad2d",
    lambda x, padding: F.pad(x, padding, mode="circular"),
    shapes=IMAGE,
    dtypes=(torch.float32,),
    padding=[1, 2, 3, 0],
)
op_on(
    "RepeatInterleaveIntWithDim",
    lambda x, repeats, dim, outputSize: x.repeat_interleave(repeats, dim),
    repeats=3,
    dim=1,
    outputSize=33,
)
op_on(
    "UpsampleNearest2d",
    lambda x, outputSize: F.interpolate(x, outputSize, mode="nearest"),
    shapes=IMAGE,
    dtypes=(torch.float32, torch.float64),
    outputSize=[10, 5],
)
op_on("InplaceFillScalar", lambda x, value: torch.full_like(x, value), value=3)
op_on("InplaceZero", torch.zeros_like)
op_on("InplaceOne", torch.ones_like)
op_on(
    "InplaceFillDiagonal",
    lambda x, fillValue, wrap: x.clone().fill_diagonal_(fillValue, wrap),
    shapes=[(11, 5)],
    fillValue=3,
    wrap=True,
)
op("Eye", lambda n, m: torch.eye(n, m), dtypes=(torch.float32,), inputs=lambda generator, dtype: [[]], n=7, m=5)
op(
    "Arange",
    lambda start, end, step: torch.arange(start, end, step),
    dtypes=(torch.int64,),
    inputs=lambda generator, dtype: [[]],
    start=2,
    end=40,
    step=3,
)
op(
    "Linspace",
    lambda start, end, steps: torch.linspace(start, end, steps),
    dtypes=(torch.float32,),
    inputs=lambda generator, dtype: [[]],
    start=-1.0,
    end=2.0,
    steps=101,
)


def lists(generator, dtype):
    yield [[values(shape, dtype, None, generator) for shape in ((7, 2, 5), (7, 11, 5), (7, 0, 5), (7, 1, 5))]]


def equals(generator, dtype):
    yield [[values((7, 11), dtype, None, generator) for _ in range(3)]]


op("Cat", lambda tensors, dim: torch.cat(tensors, dim), inputs=lists, dim=1)
op("Stack", lambda tensors, dim: torch.stack(tensors, dim), inputs=equals, dim=1)


def picked(size, shape, count=1):
    """A tensor and indices of one of its dims, some of them twice and some of them negative where `count` says so."""

    def make(generator, dtype):
        x = values((7, 11, 5), dtype, None, generator)
        yield [x, torch.randint(0, size, shape, generator=generator)]

    return make


op("IndexSelect", lambda x, index, dim: x.index_select(dim, index), inputs=picked(11, (13,)), dim=1)
op("Gather", lambda x, index, dim: x.gather(dim, index), inputs=picked(11, (7, 3, 5)), dim=1)
op("GatherV2", lambda x, index, dim: x[:, index], inputs=picked(11, (2, 3)), dim=1)
op(
    "Embedding",
    lambda x, index: x[index],
    inputs=lambda generator, dtype: [
        [values((11, 5), dtype, None, generator), torch.randint(0, 11, (3, 4), generator=generator)]
    ],
)
op("Take", lambda x, index: x.take(index), inputs=picked(385, (3, 4)))
op("IndexFill", lambda x, index, dim, value: x.index_fill(dim, index, value), inputs=picked(11, (4,)), dim=1, value=3)
op(
    "IndexAdd",
    lambda x, index, source, dim, alpha: x.index_add(dim, index, source, alpha=alpha),
    dtypes=(torch.float32, torch.float64, torch.int32, torch.int64),
    inputs=lambda generator, dtype: [
        [
            values((7, 11, 5), dtype, (1.0, 5.0), generator),
            torch.randint(0, 11, (6,), generator=generator),
            values((7, 6, 5), dtype, (1.0, 5.0), generator),
        ]
    ],
    dim=1,
    alpha=2,
)
op(
    "ScatterAdd",
    lambda x, index, src, dim: x.scatter_add(dim, index, src),
    dtypes=(torch.float32, torch.float64, torch.int32, torch.int64),
    inputs=lambda generator, dtype: [
        [
            values((7, 11, 5), dtype, (1.0, 5.0), generator),
            torch.randint(0, 11, (7, 6, 5), generator=generator),
            values((7, 6, 5), dtype, (1.0, 5.0), generator),
        ]
    ],
    dim=1,
)
op(
    "Bucketize",
    lambda x, boundaries, outInt32, right: torch.bucketize(x, boundaries, right=right),
    dtypes=(torch.float32, torch.int32, torch.int64),
    inputs=lambda generator, dtype: [[values((7, 11), dtype, (-5, 5), generator), torch.arange(-4, 5).to(dtype)]],
    outInt32=False,
    right=True,
)


def masked(generator, dtype):
    for shape, mask in (((7, 11, 5), (11, 1)), ((1009,), (1009,)), ((3, 4), (3, 4)), ((0, 3), (3,))):
        count = 1
        for size in shape:
            count *= size
        yield [
            values(shape, dtype, (1.0, 5.0), generator),
            torch.randint(0, 2, mask, generator=generator).bool(),
            values((count,), dtype, (1.0, 5.0), generator),
        ]


op("InplaceMaskedScatter", torch.masked_scatter, dtypes=REALS + INTEGERS + BOOL, inputs=masked)


# --- bags of rows ---


def embedding_bag(weight, indices, offsets, perSampleWeights=None, mode=0, includeLastOffset=False, paddingIdx=-1, **_):
    output, bag_of, size, most = torch.embedding_bag(
        weight, indices, offsets, False, mode, False, perSampleWeights, includeLastOffset, paddingIdx if paddingIdx >= 0 else None
    )
    starts = offsets[:-1] if includeLastOffset else offsets
    bag_of = torch.searchsorted(starts, torch.arange(len(indices)), right=True) - 1
    counted = torch.zeros_like(starts).index_add_(0, bag_of, (indices != paddingIdx).to(starts.dtype))
    if mode == 2:
        most[counted == 0] = -1  # torch leaves 0
    else:
        most = torch.zeros_like(starts)
    return output, bag_of, counted, most


def bags(ends, weighted):
    def make(generator, dtype):
        for rows, columns, count, starts in ((17, 5, 61, [0, 7, 7, 30]), (300, 64, 1009, [0, 1, 500, 1009])):
            indices = torch.randint(0, rows, (count,), generator=generator)
            inputs = [values((rows, columns), dtype, (0.5, 3.0), generator), indices]
            inputs.append(torch.tensor(starts + ([count] if ends else [])))
            if weighted:
                inputs.append(values((count,), dtype, (0.5, 3.0), generator))
            yield inputs

    return make


for mode in range(3):
    for ends, padding in ((False, -1), (True, 3)):
        for weighted in (False, True) if mode == 0 else (False,):
            op(
                "EmbeddingBag",
                embedding_bag,
                dtypes=REALS[:3],
                inputs=bags(ends, weighted),
                scaleGradByFreq=False,
                mode=mode,
                sparse=False,
                includeLastOffset=ends,
                paddingIdx=padding,
                **({} if weighted else {"perSampleWeights": None}),
            )

if __name__ == "__main__":
    main()
