"""Linear algebra."""

import torch

from golden import COMPLEX, INTEGERS, REALS, main, op, values


def pairs(*shapes):
    def make(generator, dtype):
        for first, second in shapes:
            yield [values(first, dtype, None, generator), values(second, dtype, None, generator)]

    return make


def cross(x, y, dim):
    x, y = torch.broadcast_tensors(x, y)
    return torch.cross(x, y, dim=dim)


for dim, shapes in (
    (-1, [((7, 3), (7, 3)), ((3,), (3,)), ((2, 1, 3), (5, 3)), ((0, 3), (0, 3))]),
    (0, [((3, 11), (3, 11)), ((3, 4, 1), (3, 1, 5))]),
    (1, [((7, 3, 16), (7, 3, 16)), ((1, 3, 5), (4, 3, 1))]),
):
    op("LinalgCross", cross, dtypes=REALS + INTEGERS + COMPLEX, inputs=pairs(*shapes), dim=dim)



def matrices(*shapes):
    """Random, with a diagonal that keeps the condition small."""

    def make(generator, dtype):
        for shape in shapes:
            drawn = values(shape, dtype, (-1.0, 1.0), generator)
            drawn.diagonal(dim1=-2, dim2=-1).add_(shape[-1])
            yield [drawn]

    return make


def definite(*shapes):
    def make(generator, dtype):
        for shape in shapes:
            drawn = values(shape, torch.float32, (-1.0, 1.0), generator)
            yield [(drawn @ drawn.transpose(-1, -2) + shape[-1] * torch.eye(shape[-1])).to(dtype)]

    return make


def solved(b, a, upper, transpose, unitriangular):
    return tuple(torch.triangular_solve(b, a, upper=upper, transpose=transpose, unitriangular=unitriangular))


def with_right_side(generator, dtype):
    for (a,) in matrices((7, 7), (3, 16, 16))(generator, dtype):
        yield [values((*a.shape[:-1], 5), dtype, (-1.0, 1.0), generator), a]


SQUARES = matrices((1, 1), (7, 7), (3, 24, 24), (2, 2, 5, 5), (0, 4, 4))
# Errors are relative to the largest number of a matrix, not to each.
NEAR = {"float32": 1e-4, "double": 1e-10}
for dtypes, tolerance in (
    ((torch.float32, torch.complex64), NEAR["float32"]),
    ((torch.float64, torch.complex128), NEAR["double"]),
):
    for upper, transpose in ((True, False), (False, True), (False, False)):
        op("TriangularSolve", solved, dtypes=dtypes, inputs=with_right_side, tolerance=tolerance, upper=upper,
           transpose=transpose, unitriangular=False)
    op("Inverse", torch.inverse, dtypes=dtypes[:1], inputs=SQUARES, tolerance=tolerance)
    op("Logdet", torch.logdet, dtypes=dtypes[:1], inputs=SQUARES, tolerance=tolerance)
    op("Slogdet", lambda x: tuple(torch.linalg.slogdet(x)), dtypes=dtypes, inputs=SQUARES, tolerance=tolerance)
    for some in (True, False):
        op("Qr", lambda x, some: tuple(torch.linalg.qr(x, "reduced" if some else "complete")), dtypes=dtypes,
           inputs=matrices((7, 7), (3, 17, 5), (5, 17)), tolerance=tolerance, some=some)
    # Vectors are not determined; that they are right is tested elsewhere.
    op("Svd", lambda x, fullMatrices, computeUV: torch.linalg.svdvals(x), dtypes=dtypes,
       inputs=matrices((7, 7), (3, 17, 5), (5, 17), (60, 70)), tolerance=tolerance, fullMatrices=False, computeUV=False)
for upper in (False, True):
    op("LinalgCholesky", lambda x, upper: torch.linalg.cholesky(x, upper=upper), dtypes=(torch.float32,),
       inputs=definite((1, 1), (7, 7), (3, 24, 24)), tolerance=NEAR["float32"], upper=upper)

if __name__ == "__main__":
    main()
