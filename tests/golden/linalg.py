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

if __name__ == "__main__":
    main()
