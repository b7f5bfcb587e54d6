"""The random numbers of the samples: samples/support/random.hpp."""

import numpy
import torch


class Random:
    def __init__(self, seed=2026):
        self.state = seed

    def some(self, count, scale, around=0.0):
        values = numpy.empty(count, dtype=numpy.float32)
        for i in range(count):
            self.state = (self.state * 1664525 + 1013904223) % 2**32
            number = numpy.float32(self.state >> 8) / numpy.float32(8388608.0) - numpy.float32(1.0)
            values[i] = numpy.float32(around) + numpy.float32(scale) * number
        return torch.from_numpy(values)
