#!/usr/bin/env python3
"""Computes with PyTorch what samples/gpt_decoder.cpp writes: prints samples/expected/gpt_decoder.txt.

gpt_golden.py [--check]
"""

import math
import pathlib
import sys

import numpy
import torch
import torch.nn.functional as F

from golden_random import Random

EXPECTED = pathlib.Path(__file__).resolve().parent.parent / "samples/expected/gpt_decoder.txt"
TOKENS, VOCABULARY, HIDDEN, HEADS, KEY_HEADS, COLUMNS, INNER, LAYERS = 64, 256, 64, 4, 2, 16, 128, 2
EPSILON, TEMPERATURE = 1e-6, numpy.float32(0.7)


def matrix(random, rows, columns):
    scale = numpy.sqrt(numpy.float32(3.0) / numpy.float32(rows))
    return random.some(rows * columns, scale).view(rows, columns)


def norm(x, gain):
    return x * torch.rsqrt(x.pow(2).mean() + EPSILON) * gain


def rotated(x, place):
    """Rotates each head by the angles of a position (RoPE, Su et al. 2021): element i with element i + COLUMNS / 2."""
    rates = torch.tensor([10000.0 ** (-2.0 * i / COLUMNS) for i in range(COLUMNS // 2)], dtype=torch.float64)
    cosine, sine = torch.cos(place * rates).float(), torch.sin(place * rates).float()
    first, second = x.view(-1, COLUMNS).chunk(2, dim=-1)
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], dim=-1)


def attend(query, keys, values):
    """Returns the attention of one query over all positions so far, with grouped queries: several heads share keys and values."""
    shared = HEADS // KEY_HEADS
    result = []
    for head in range(HEADS):
        own_keys = torch.stack([k[head // shared] for k in keys])
        own_values = torch.stack([v[head // shared] for v in values])
        weights = torch.softmax(own_keys @ query[head] / math.sqrt(COLUMNS), dim=0)
        result.append(weights @ own_values)
    return torch.cat(result)


def main():
    random = Random()
    embedding = random.some(VOCABULARY * HIDDEN, 1).view(VOCABULARY, HIDDEN)
    uniform = random.some(TOKENS + 1, 0.5, 0.5)
    last_gain = random.some(HIDDEN, 0.25, 1)
    head = random.some(HIDDEN * VOCABULARY, 0.5).view(HIDDEN, VOCABULARY)
    layers = []
    for _ in range(LAYERS):
        layers.append(
            {
                "attention_gain": random.some(HIDDEN, 0.25, 1),
                "query": matrix(random, HIDDEN, HIDDEN),
                "key": matrix(random, HIDDEN, KEY_HEADS * COLUMNS),
                "value": matrix(random, HIDDEN, KEY_HEADS * COLUMNS),
                "output": matrix(random, HIDDEN, HIDDEN),
                "inner_gain": random.some(HIDDEN, 0.25, 1),
                "up": matrix(random, HIDDEN, 2 * INNER),
                "down": matrix(random, INNER, HIDDEN),
                "keys": [],
                "values": [],
            }
        )

    token, tokens, logits = 1, [], None
    for place in range(TOKENS):
        x = embedding[token]
        for layer in layers:
            h = norm(x, layer["attention_gain"])
            query = rotated(h @ layer["query"], place)
            layer["keys"].append(rotated(h @ layer["key"], place))
            layer["values"].append((h @ layer["value"]).view(KEY_HEADS, COLUMNS))
            x = x + attend(query, layer["keys"], layer["values"]) @ layer["output"]
            gate, up = (norm(x, layer["inner_gain"]) @ layer["up"]).chunk(2)
            x = x + (F.silu(gate) * up) @ layer["down"]
        logits = norm(x, last_gain) @ head
        sums = torch.cumsum(torch.softmax(logits * (numpy.float32(1) / TEMPERATURE), dim=0), dim=0)
        token = int((sums < uniform[place]).sum())
        tokens.append(token)

    lines = ["".join(f"{t:4d}" for t in tokens[i : i + 16]) for i in range(0, TOKENS, 16)]
    lines.append("the last logits begin with " + " ".join(f"{v:.3f}" for v in logits[:6].tolist()))
    text = "".join(line + "\n" for name in ("eager", "replayed") for line in [name, *lines])
    if "--check" not in sys.argv[1:]:
        print(text, end="")
    elif text != EXPECTED.read_text():
        sys.exit(f"{EXPECTED.name} is not what PyTorch computes:\n{text}")


if __name__ == "__main__":
    main()
