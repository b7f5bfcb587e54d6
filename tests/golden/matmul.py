"""Products of matrices."""

import torch

from golden import BOOL, COMPLEX, FLOATS, INTEGERS, REALS, main, op, values


def tensors(*cases):
    """Each case is the shapes of an operator's tensors. Positive numbers, so that sums do not cancel."""

    def make(generator, dtype):
        for shapes in cases:
            yield [values(shape, dtype, (0.25, 2.0), generator) for shape in shapes]

    return make


MATRICES = [((17, 31), (31, 23)), ((64, 64), (64, 72)), ((1, 256), (256, 130)), ((5, 0), (0, 3))]
BATCHES = [((3, 17, 31), (3, 31, 23)), ((5, 8, 16), (5, 16, 24)), ((0, 2, 3), (0, 3, 4))]
BROADCAST = [((7,), (7,)), ((2, 5, 7), (7,)), ((7,), (2, 7, 3)), ((4, 1, 5, 8), (3, 8, 16)), ((6, 40), (2, 40, 8))]
ADDED = [((23,), *MATRICES[0]), ((64, 1), *MATRICES[1]), ((1, 130), *MATRICES[2]), ((5, 3), *MATRICES[3])]

op("Matmul", lambda x, y, cubeMathType: x @ y, inputs=tensors(*MATRICES, *BATCHES, *BROADCAST), dtypes=FLOATS, cubeMathType=0)
op("Mm", lambda x, y, cubeMathType: x @ y, inputs=tensors(*MATRICES), dtypes=FLOATS, cubeMathType=1)
op("BatchMatMul", lambda x, y, cubeMathType: torch.bmm(x, y), inputs=tensors(*BATCHES), dtypes=FLOATS, cubeMathType=0)
op(
    "Mv",
    lambda x, y, cubeMathType: torch.mv(x, y),
    inputs=tensors(((67, 131), (131,)), ((8, 512), (512,))),
    dtypes=FLOATS,
    cubeMathType=0,
)
op(
    "Dot",
    torch.dot,
    inputs=tensors(((1009,), (1009,)), ((0,), (0,))),
    dtypes=FLOATS + (torch.int8, torch.int32, torch.uint8),
)
op("Ger", torch.ger, inputs=tensors(((13,), (17,))), dtypes=REALS + INTEGERS + COMPLEX + BOOL)


def weighted(function):
    return lambda *given, alpha, beta, cubeMathType: function(*given, alpha=alpha, beta=beta)


for name, function, cases in (
    ("Addmm", torch.addmm, ADDED),
    ("Baddbmm", torch.baddbmm, [((3, 1, 23), *BATCHES[0]), ((24,), *BATCHES[1])]),
    ("Addbmm", torch.addbmm, [((17, 23), *BATCHES[0]), ((24,), *BATCHES[1])]),
):
    op(name, weighted(function), inputs=tensors(*cases), dtypes=FLOATS, alpha=0.5, beta=3.0, cubeMathType=0)
    if name != "Addmm":
        cases = [((*first[:-2], first[-2], second[-1]), first, second) for _, first, second in cases]
    else:
        cases = [((first[0], second[1]), first, second) for _, first, second in cases]
    if name == "Addbmm":
        cases = [(added[1:], first, second) for added, first, second in cases]
    op("Inplace" + name, weighted(function), inputs=tensors(*cases), dtypes=FLOATS, alpha=0.5, beta=3.0, cubeMathType=0)

op(
    "Addmv",
    weighted(torch.addmv),
    inputs=tensors(((67,), (67, 131), (131,)), ((), (8, 24), (24,))),
    dtypes=REALS + INTEGERS,
    alpha=2,
    beta=3,
    cubeMathType=0,
)
for name in ("Addr", "InplaceAddr"):
    op(
        name,
        lambda x, y, z, betaOptional, alphaOptional: torch.addr(x, y, z, beta=betaOptional, alpha=alphaOptional),
        inputs=tensors(((13, 17), (13,), (17,))),
        dtypes=REALS + INTEGERS,
        betaOptional=3,
        alphaOptional=2,
    )
op(
    "Gemm",
    lambda a, b, c, alpha, beta, transA, transB, cubeMathType: torch.addmm(c, a.T, b, alpha=alpha, beta=beta),
    inputs=tensors(((31, 17), (31, 24), (24,))),
    dtypes=FLOATS,
    alpha=0.5,
    beta=3.0,
    transA=1,
    transB=0,
    cubeMathType=0,
)



def of_list(*cases):
    """Each case is the shapes of the members of a list."""

    def make(generator, dtype):
        for shapes in cases:
            yield [[values(shape, dtype, (0.25, 2.0), generator) for shape in shapes]]

    return make


for equation, *shapes in (
    ("ij,jk->ik", (17, 31), (31, 23)),
    ("bij,bkj", (3, 8, 16), (3, 5, 16)),
    ("...ij,...jk->...ik", (4, 1, 5, 8), (3, 8, 16)),
    ("kj,ji", (7, 11), (11, 5)),
    ("ii->i", (7, 7)),
    ("iijk->kj", (3, 3, 4, 5)),
    ("bhqd, bhkd -> bhqk", (2, 3, 5, 8), (2, 3, 7, 8)),
    ("i,j", (7,), (5,)),
    ("ij,ij->ij", (7, 5), (7, 5)),
    ("...,...", (3, 1, 2), (4, 2)),
    ("Ab,bC,Cd", (3, 5), (5, 4), (4, 2)),
    ("i...->...", (3, 5, 4)),
    ("ij,jk", (3, 1), (5, 4)),
):
    op(
        "Einsum",
        lambda tensors, equation: torch.einsum(equation, *tensors),
        inputs=of_list(shapes),
        dtypes=(torch.float32, torch.float16, torch.int16, torch.int32, torch.int64),
        equation=equation,
    )

if __name__ == "__main__":
    main()
