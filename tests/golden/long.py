"""Long dims: some drivers end the loops of a thread after some iterations, without a word (lavapipe of Mesa 22.3 after 65535)."""

import torch
import torch.nn.functional as F

from golden import main, op, values

ROW = (1, 1048583)
COLUMN = (150007, 3)
SHAPES = [ROW, COLUMN]
SMALL = (-0.5, 0.5)
POSITIVE = (0.5, 2.0)


def along(shape):
    """The long dim."""
    return 1 if shape is ROW else 0


for shape in SHAPES:
    dim = along(shape)
    lines = {"shapes": [shape], "broadcasts": False}
    op("Cummax", lambda x, dim: tuple(torch.cummax(x, dim)), dtypes=(torch.float32,), dim=dim, **lines)
    op("ReduceSum", lambda x, dims, keepDims, dtype: torch.sum(x, dims, keepDims), dtypes=(torch.int32, torch.int64),
       dims=[dim], keepDims=False, dtype=torch.int64, **lines)
    op("Amax", lambda x, dim, keepDim: torch.amax(x, dim, keepDim), dtypes=(torch.float32,), dim=[dim], keepDim=False, **lines)
    op("ArgMax", lambda x, dim, keepdim: torch.argmax(x, dim, keepdim), dtypes=(torch.float32,), dim=dim, keepdim=False, **lines)
    op("Var", lambda x, dim, unbiased, keepdim: torch.var(x.double(), dim=dim, unbiased=unbiased, keepdim=keepdim).float(),
       dtypes=(torch.float32,), domain=POSITIVE, dim=[dim], unbiased=True, keepdim=False, **lines)
    op("Softmax", lambda x, dim: torch.softmax(x.double(), dim).float(), dtypes=(torch.float32,), domain=SMALL, dim=dim, **lines)
    op("LogSoftmax", lambda x, dim: torch.log_softmax(x.double(), dim).float(), dtypes=(torch.float32,), domain=SMALL, dim=dim, **lines)
    op("Cumsum", lambda x, dim, dtype: torch.cumsum(x.double(), dim).float(), dtypes=(torch.float32,), domain=POSITIVE, tolerance=2.0**-8, dim=dim,
       dtype=torch.float32, **lines)


def picked(generator, dtype):
    count = 150007
    yield [
        values((7, 3), dtype, (1.0, 5.0), generator),
        torch.randint(0, 7, (count,), generator=generator),
        torch.randint(1, 5, (count, 3), generator=generator).to(dtype),
    ]


op("IndexAdd", lambda x, index, source, dim, alpha: x.index_add(dim, index, source, alpha=alpha), dtypes=(torch.int32,),
   inputs=picked, dim=0, alpha=1)


def scattered(generator, dtype):
    count = 150007
    yield [
        values((7, 1), dtype, (1.0, 5.0), generator),
        torch.randint(0, 7, (count, 1), generator=generator),
        torch.randint(1, 5, (count, 1), generator=generator).to(dtype),
    ]


op("ScatterAdd", lambda x, index, src, dim: x.scatter_add(dim, index, src), dtypes=(torch.int32,), inputs=scattered, dim=0)


def groups(generator, dtype):
    yield [torch.ones(200003, 5).to(dtype), torch.tensor([150000, 200003])]


op("GroupedBiasAddGrad", lambda g, ends, groupIdxType=0: torch.tensor([[150000.0] * 5, [50003.0] * 5]), dtypes=(torch.float32,),
   inputs=groups, result="same")

# A running sum over the elements of the mask, then gathers.
op("Index", lambda x, indices: x[indices[0]], dtypes=(torch.int32,),
   inputs=lambda generator, dtype: [[values((2100, 1100), dtype, None, generator), [torch.rand(2100, 1100, generator=generator) < 0.3]]])
for kind in ("max", "avg"):
    name = "AdaptiveMaxPool2d" if kind == "max" else "AdaptiveAvgPool2d"
    pool = (lambda x, outputSize: F.adaptive_max_pool2d(x, outputSize, return_indices=True)) if kind == "max" else (
        lambda x, outputSize: F.adaptive_avg_pool2d(x.double(), outputSize).float())
    op(name, pool, dtypes=(torch.float32,), domain=POSITIVE,
       inputs=lambda generator, dtype: [[values((1, 2, 300, 311), dtype, POSITIVE, generator)]], outputSize=[1, 1])

if __name__ == "__main__":
    main()
