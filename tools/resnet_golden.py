#!/usr/bin/env python3
"""Computes with PyTorch what samples/resnet.cpp prints: samples/expected/resnet.txt.

resnet_golden.py [--check]
"""

import pathlib
import sys

import numpy
import torch
import torch.nn.functional as F

from golden_random import Random

EXPECTED = pathlib.Path(__file__).resolve().parent.parent / "samples/expected/resnet.txt"
IMAGES, SIZE, CLASSES, WIDTHS = 3, 64, 10, (8, 16, 32, 64)


class Network:
    """Layers with random weights, drawn in the order in which layers use them."""

    def __init__(self):
        random = Random()
        self.first = self.convolution(random, 3, WIDTHS[0], 7)
        self.blocks = []
        channels = WIDTHS[0]
        for width in WIDTHS:
            for step in (1 if width == WIDTHS[0] else 2, 1):
                inner = self.convolution(random, channels, width, 3)
                outer = self.convolution(random, width, width, 3)
                fits = step == 1 and channels == width
                beside = None if fits else self.convolution(random, channels, width, 1)
                self.blocks.append((step, inner, outer, beside))
                channels = width
        self.weight = random.some(channels * CLASSES, 0.3).view(channels, CLASSES).double()
        self.bias = random.some(CLASSES, 0.1).double()

    @staticmethod
    def convolution(random, channels, results, side):
        scale = numpy.sqrt(numpy.float32(6.0) / numpy.float32(channels * side * side))
        weight = random.some(results * channels * side * side, scale).view(results, channels, side, side)
        return weight.double(), random.some(results, 0.1).double()

    def __call__(self, x):
        x = F.relu(F.conv2d(x, *self.first, stride=2, padding=3))
        x = F.max_pool2d(x, 3, 2, 1)
        for step, inner, outer, beside in self.blocks:
            y = F.conv2d(F.relu(F.conv2d(x, *inner, stride=step, padding=1)), *outer, padding=1)
            x = F.relu(y + (x if beside is None else F.conv2d(x, *beside, stride=step)))
        return x.mean(dim=(2, 3)) @ self.weight + self.bias


def main():
    network = Network()
    pixels = Random(7)
    text = ""
    for image in range(IMAGES):
        classes = network(pixels.some(3 * SIZE * SIZE, 1).view(1, 3, SIZE, SIZE).double())[0]
        numbers = " ".join(f"{value:.2f}" for value in classes.tolist())
        text += f"image {image} is of class {int(classes.argmax())}: {numbers}\n"
    if "--check" not in sys.argv[1:]:
        print(text, end="")
    elif text != EXPECTED.read_text():
        sys.exit(f"{EXPECTED.name} is not what PyTorch computes:\n{text}")


if __name__ == "__main__":
    main()
