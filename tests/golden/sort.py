"""Sorts, the highest elements, medians."""

import torch

from golden import BOOL, FLOATS, INTEGERS, REALS, main, op, values

SHAPES = [(7, 11, 5), (2, 3001), (), (3, 1, 2)]


def stable(x, dim, descending, stable=True):
    """torch wants a dim of numbers for stable sorts; a scalar is in order."""
    return torch.sort(x, dim=dim, descending=descending, stable=True)


for dim, descending in ((0, False), (-1, True), (-1, False)):
    attributes = {"dim": dim, "descending": descending}
    op("Sort", stable, dtypes=REALS + INTEGERS + BOOL, shapes=SHAPES, stable=True, **attributes)
    op("Argsort", lambda x, dim, descending: stable(x, dim, descending)[1], shapes=SHAPES, **attributes)


def distinct(generator, dtype):
    """Which of equal elements is found is torch's own affair."""
    for shape in ((7, 9), (3, 5, 7), (2, 101)):
        count = 1
        for size in shape:
            count *= size
        yield [torch.randperm(count, generator=generator)[:count].reshape(shape).to(dtype) % 251]


def rows_of_many(generator, dtype):
    yield [torch.randperm(40009, generator=generator).to(dtype)]
    yield [torch.randperm(3 * 9001, generator=generator).reshape(3, 9001).to(dtype)]


WIDE = (torch.float32, torch.int16, torch.int32, torch.int64)


def topk(x, k, dim, largest, sorted):
    return torch.topk(x, k, dim, largest, sorted)


for largest in (True, False):
    op("Topk", topk, dtypes=WIDE, inputs=distinct, k=5, dim=-1, largest=largest, sorted=True)
    op("Topk", topk, dtypes=WIDE, inputs=distinct, k=2, dim=0, largest=largest, sorted=True)
    op("Topk", topk, dtypes=(torch.float32, torch.float64, torch.int32), inputs=rows_of_many, k=99, dim=-1, largest=largest, sorted=True)
for keep in (True, False):
    op("Kthvalue", torch.kthvalue, dtypes=WIDE, inputs=distinct, k=2, dim=-1, keepdim=keep)
    op("Kthvalue", torch.kthvalue, dtypes=(torch.float32, torch.int64), inputs=rows_of_many, k=2777, dim=-1, keepdim=keep)
    for name, function in (("MedianDim", torch.median), ("NanMedianDim", torch.nanmedian)):

        def median(x, dim, keepDim, function=function):
            return function(x, dim, keepDim)

        op(name, median, dtypes=WIDE, inputs=distinct, dim=-1, keepDim=keep)
        op(name, median, dtypes=(torch.float32, torch.int32), inputs=rows_of_many, dim=-1, keepDim=keep)
op("Median", torch.median, shapes=[(7, 11, 5), (1009,), (), (3, 1, 2), (60013,)])
op("NanMedian", torch.nanmedian, shapes=[(7, 11, 5), (1009,), (), (3, 1, 2), (60013,)])

if __name__ == "__main__":
    main()
