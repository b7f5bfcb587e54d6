"""Reductions, norms, softmax, scans, histograms."""

import torch
import torch.nn.functional as F

from golden import BOOL, COMPLEX, FLOATS, INTEGERS, REALS, main, op, values

BLOCKS = [(7, 11, 5), (2, 1009, 3), (4, 3, 2, 257)]
POSITIVE = (0.5, 2.0)
ORDERED = REALS + INTEGERS

for dim, keep in (([1], False), ([0, 2], True), ([-1], False), ([], False)):

    def over(function, dim=dim):
        """torch reduces over no dims when it is given none, or over all; the operators over all."""

        def meaning(x, keepDim=keep, **more):
            keepDim = more.pop("keepdim", more.pop("keepDims", keepDim))
            dims = [v for k, v in more.items() if k in ("dim", "dims")][0] or list(range(x.dim()))
            return function(x, dims, keepDim, **{k: v for k, v in more.items() if k not in ("dim", "dims")})

        return meaning

    op(
        "Mean",
        over(lambda x, d, k, dtype: torch.mean(x, d, k)),
        dtypes=(torch.float32,),
        shapes=BLOCKS,
        domain=POSITIVE,
        dim=dim,
        keepDim=keep,
        dtype=torch.float32,
    )
    op(
        "ReduceSum",
        over(lambda x, d, k, dtype: torch.sum(x, d, k)),
        dtypes=(torch.float32,),
        shapes=BLOCKS,
        domain=POSITIVE,
        dims=dim,
        keepDims=keep,
        dtype=torch.float32,
    )
    op(
        "ReduceSum",
        over(lambda x, d, k, dtype: torch.sum(x, d, k)),
        dtypes=(torch.int64, torch.int32, torch.uint8, torch.bool),
        shapes=BLOCKS,
        dims=dim,
        keepDims=keep,
        dtype=torch.int64,
    )
    op("Amax", over(lambda x, d, k: torch.amax(x, d, k)), dtypes=ORDERED, shapes=BLOCKS, dim=dim, keepDim=keep)
    op("Amin", over(lambda x, d, k: torch.amin(x, d, k)), dtypes=ORDERED, shapes=BLOCKS, dim=dim, keepDim=keep)
    op("LogSumExp", over(lambda x, d, k: torch.logsumexp(x, d, k)), dtypes=FLOATS, shapes=BLOCKS, dim=dim, keepDim=keep)
    op(
        "VarMean",
        over(lambda x, d, k, correction: torch.var_mean(x, dim=d, correction=correction, keepdim=k)),
        dtypes=FLOATS,
        shapes=BLOCKS,
        domain=POSITIVE,
        dim=dim,
        correction=1,
        keepdim=keep,
    )
    op(
        "Std",
        over(lambda x, d, k, correction: torch.std(x, dim=d, correction=correction, keepdim=k)),
        dtypes=FLOATS,
        shapes=BLOCKS,
        domain=POSITIVE,
        dim=dim,
        correction=0,
        keepdim=keep,
    )
    op(
        "Var",
        over(lambda x, d, k, unbiased: torch.var(x, dim=d, unbiased=unbiased, keepdim=k)),
        dtypes=FLOATS,
        shapes=BLOCKS,
        domain=POSITIVE,
        dim=dim,
        unbiased=True,
        keepdim=keep,
    )
    op("Any", over(lambda x, d, k: (x != 0).amax(d, k)), dtypes=ORDERED + BOOL, shapes=BLOCKS, dim=dim, keepdim=keep)
    op("All", over(lambda x, d, k: (x != 0).amin(d, k)), dtypes=ORDERED + BOOL, shapes=BLOCKS, dim=dim, keepdim=keep)

for dim in (0, 1, -1):
    op("Softmax", lambda x, dim: torch.softmax(x, dim), shapes=BLOCKS, dim=dim)
    op("LogSoftmax", lambda x, dim: torch.log_softmax(x, dim), shapes=BLOCKS, dim=dim)
    op(
        "Cumsum",
        lambda x, dim, dtype: torch.cumsum(x, dim),
        dtypes=(torch.float32,),
        shapes=BLOCKS,
        domain=POSITIVE,
        dim=dim,
        dtype=torch.float32,
    )
    op("Cummax", lambda x, dim: tuple(torch.cummax(x, dim)), dtypes=REALS + (torch.int32,), shapes=BLOCKS, dim=dim)
    op("ArgMax", lambda x, dim, keepdim: torch.argmax(x, dim, keepdim), shapes=BLOCKS, dim=dim, keepdim=False)
    op("ArgMin", lambda x, dim, keepdim: torch.argmin(x, dim, keepdim), shapes=BLOCKS, dim=dim, keepdim=True)
    op(
        "ProdDim",
        lambda x, dim, keepDim, dtype: torch.prod(x, dim, keepDim),
        dtypes=(torch.float32,),
        shapes=[(7, 11, 5)],
        domain=POSITIVE,
        dim=dim,
        keepDim=False,
        dtype=torch.float32,
    )


def exp_segsum(x):
    """Of all segments at once, as networks with state spaces write it."""
    n = x.shape[-1]
    terms = x.unsqueeze(-1).expand(*x.shape, n).tril(-1)
    return torch.exp(torch.cumsum(terms, -2)).tril(0)


op("ExpSegsum", exp_segsum, dtypes=FLOATS, shapes=[(3, 11), (2, 3, 7), (5,), (0, 3)], domain=(-0.5, 0.25), result="same")
op(
    "MaxDim",
    lambda x, dim, keepdim: tuple(torch.max(x, dim, keepdim)),
    dtypes=FLOATS,
    shapes=BLOCKS,
    dim=-1,
    keepdim=False,
)
op(
    "MinDim",
    lambda x, dim, keepdim: tuple(torch.min(x, dim, keepdim)),
    dtypes=FLOATS,
    shapes=BLOCKS,
    dim=0,
    keepdim=True,
)
op("Max", torch.max, dtypes=ORDERED, shapes=BLOCKS)
op("Min", torch.min, dtypes=ORDERED, shapes=BLOCKS)
op(
    "Norm",
    lambda x, pScalar, dim, keepdim: torch.norm(x, pScalar, dim, keepdim),
    shapes=BLOCKS,
    domain=POSITIVE,
    pScalar=2.0,
    dim=[-1],
    keepdim=False,
)
op(
    "Histc",
    lambda x, bins, min, max: torch.histc(x, bins, min, max),
    dtypes=(torch.float32,),
    shapes=BLOCKS,
    domain=(-2.0, 2.0),
    bins=10,
    min=-1,
    max=1,
)


def rows_and_weights(weights):
    def make(generator, dtype):
        for shape in ((7, 11, 5), (3, 4, 1031), (2, 3, 64)):
            yield [values(shape, dtype, (-3.0, 3.0), generator)] + [
                values(shape[-1:], dtype, POSITIVE, generator) for _ in range(weights)
            ]

    return make


def layer_norm(x, weight, bias, normalizedShape, eps):
    mean = x.mean(-1, keepdim=True)
    rstd = (x.var(-1, unbiased=False, keepdim=True) + eps).rsqrt()
    return (x - mean) * rstd * weight + bias, mean, rstd


def last(size):
    """Inputs with rows of one length: normalizedShape must name it."""

    def make(generator, dtype):
        yield [values((7, 11, size), dtype, (-3.0, 3.0), generator)] + [
            values((size,), dtype, POSITIVE, generator) for _ in range(2)
        ]

    return make


def rms_norm(x, gamma, epsilon):
    rstd = (x.pow(2).mean(-1, keepdim=True) + epsilon).rsqrt()
    return x * rstd * gamma, rstd


for size in (5, 64, 1031):
    op(
        "LayerNorm",
        lambda *a, **k: layer_norm(*a, **k),
        dtypes=(torch.float32,),
        inputs=last(size),
        tolerance=2.0**-13,
        normalizedShape=[size],
        eps=1e-5,
    )
op("RmsNorm", rms_norm, dtypes=(torch.float32,), inputs=rows_and_weights(1), epsilon=1e-6)
op(
    "GroupNorm",
    lambda x, gamma, beta, N, C, HxW, group, eps: (
        F.group_norm(x, group, gamma, beta, eps),
        x.reshape(N, group, -1).mean(-1),
        (x.reshape(N, group, -1).var(-1, unbiased=False) + eps).rsqrt(),
    ),
    dtypes=(torch.float32,),
    inputs=lambda generator, dtype: [
        [values((3, 6, 7, 5), dtype, (-3.0, 3.0), generator)]
        + [values((6,), dtype, POSITIVE, generator) for _ in range(2)]
    ],
    N=3,
    C=6,
    HxW=35,
    group=2,
    eps=1e-5,
)



def tensors(*shapes):
    """One list of tensors."""

    def make(generator, dtype):
        yield [[values(shape, dtype, (-3.0, 3.0), generator) for shape in shapes]]

    return make


def sum_of(list_of):
    total = list_of[0]
    for one in list_of[1:]:
        total = total + one
    return total


for shapes in ([(7, 11)], [(7, 11), (7, 11)], [(7, 11), (7, 11), (11,), (7, 1)]):
    op("Sum", sum_of, inputs=tensors(*shapes))


def table_and_indices(generator, dtype):
    yield [values((11, 6), dtype, (-3.0, 3.0), generator), torch.tensor([3, 0, 3, 10, 7, 0])]
    yield [values((257, 40), dtype, (-3.0, 3.0), generator), torch.arange(40, dtype=torch.int32) * 5]


def embedding_renorm(table, indices, maxNorm, normType):
    return torch.embedding_renorm_(table.clone(), indices.long(), maxNorm, normType)


for kind in (1.0, 2.0, 3.0, float("inf")):
    op("EmbeddingRenorm", embedding_renorm, dtypes=FLOATS, inputs=table_and_indices, maxNorm=2.5, normType=kind)


def rows_of_groups(cumulative):
    def make(generator, dtype):
        for rows, columns, counts in ((13, 5, [4, 0, 6, 3]), (257, 16, [1, 200, 50]), (700, 3, [650])):
            ends = torch.cumsum(torch.tensor(counts), 0)
            yield [values((rows, columns), dtype, POSITIVE, generator), ends if cumulative else torch.tensor(counts)]

    return make


def grouped(gradient, groups, groupIdxType=0):
    ends = groups if groupIdxType == 0 else torch.cumsum(groups, 0)
    starts = [0] + ends.tolist()[:-1]
    return torch.stack([gradient[start:end].sum(0) for start, end in zip(starts, ends.tolist())])


op("GroupedBiasAddGrad", grouped, dtypes=FLOATS, inputs=rows_of_groups(True), result="same")
for kind in (0, 1):
    op(
        "GroupedBiasAddGradV2",
        grouped,
        dtypes=FLOATS,
        inputs=rows_of_groups(kind == 0),
        result="same",
        groupIdxType=kind,
    )
op(
    "GroupedBiasAddGrad",
    lambda gradient, groupIdxOptional: gradient.sum(1),
    dtypes=FLOATS,
    shapes=[(3, 7, 5), (2, 300, 16)],
    domain=POSITIVE,
    result="same",
    groupIdxOptional=None,
)


# --- distances ---


def two_batches(generator, dtype):
    for first, second in (((37, 5), (11, 5)), ((3, 7, 64), (3, 13, 64)), ((2, 1, 3, 17), (4, 5, 17)), ((3, 0), (2, 0))):
        yield [values(first, dtype, (-3.0, 3.0), generator), values(second, dtype, (-3.0, 3.0), generator)]


def cdist_gradient(grad, x1, x2, cdist, p):
    with torch.enable_grad():
        given = x1.detach().clone().requires_grad_()
        torch.cdist(given, x2, p, compute_mode="donot_use_mm_for_euclid_dist").backward(grad)
    return given.grad


def two_batches_and_gradients(p):
    def make(generator, dtype):
        for x1, x2 in two_batches(generator, dtype):
            distances = torch.cdist(x1.double(), x2.double(), p).to(dtype)
            yield [values(distances.shape, dtype, (-3.0, 3.0), generator), x1, x2, distances]

    return make


for p in (0.0, 1.0, 1.5, 2.0, 3.0, float("inf")):
    op(
        "Cdist",
        lambda x1, x2, p, compute_mode: torch.cdist(x1, x2, p, compute_mode="donot_use_mm_for_euclid_dist"),
        dtypes=FLOATS,
        inputs=two_batches,
        p=p,
        compute_mode=2,
    )
    op("CdistBackward", cdist_gradient, dtypes=(torch.float32,), inputs=two_batches_and_gradients(p), p=p)
    op("Pdist", lambda x, p: torch.pdist(x, p), dtypes=FLOATS[:2], shapes=[(23, 7), (2, 64), (1, 3), (3, 0)], p=p)
    op("PdistForward", lambda x, pScalar: torch.pdist(x, pScalar), dtypes=FLOATS[:2], shapes=[(23, 7)], pScalar=p)

if __name__ == "__main__":
    main()
