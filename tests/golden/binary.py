"""Operators on two tensors, or a tensor and a scalar, element by element, with their forms in place."""

import torch

from golden import BOOL, COMPLEX, INTEGERS, REALS, main, op

NUMBERS = REALS + INTEGERS + COMPLEX
ORDERED = REALS + INTEGERS
MIXED = (
    (torch.float16, torch.float32),
    (torch.int32, torch.float16),
    (torch.bfloat16, torch.float16),
    (torch.bool, torch.int64),
    (torch.uint8, torch.int8),
)

for name in ("Add", "Sub"):
    meaning = getattr(torch, name.lower())
    op(
        name,
        lambda x, y, alpha, f=meaning: f(x, y, alpha=alpha),
        dtypes=NUMBERS + (MIXED if name == "Add" else ()),
        alpha=2,
    )
    op("Inplace" + name, lambda x, y, alpha, f=meaning: f(x, y, alpha=alpha), dtypes=NUMBERS, alpha=2)
    op(name + "s", lambda x, other, alpha, f=meaning: f(x, other, alpha=alpha), dtypes=NUMBERS, other=3, alpha=2)
op("Rsub", lambda x, y, alpha: torch.rsub(x, y, alpha=alpha), dtypes=ORDERED, alpha=2)
op("Rsubs", lambda x, other, alpha: torch.rsub(x, other, alpha=alpha), dtypes=ORDERED, other=3, alpha=2)
for name in ("Mul", "Div"):
    meaning = getattr(torch, name.lower())
    op(name, meaning, dtypes=NUMBERS + BOOL)
    op(name + "s", lambda x, other, f=meaning: f(x, other), dtypes=NUMBERS + BOOL, other=3)
    op("Inplace" + name, meaning, dtypes=NUMBERS + BOOL)
    op("Inplace" + name + "s", lambda x, other, f=meaning: f(x, other), dtypes=NUMBERS, other=3)
op("Maximum", torch.maximum, dtypes=ORDERED + BOOL)
op("Minimum", torch.minimum, dtypes=ORDERED + BOOL)

if __name__ == "__main__":
    main()
