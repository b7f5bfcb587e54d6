"""What the tests of PyTorch share: the device, and comparisons with the CPU."""

import unittest

import torch
import torch_npu  # noqa: F401

DEVICE = torch.device("npu:0")


class NpuTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(7)
        torch.npu.set_device(0)

    def assert_close(self, got, expected, rtol=1e-4, atol=1e-5):
        """Values on the device and on the CPU: the same dtype and shape, and nearly the same numbers."""
        torch.testing.assert_close(got.detach().cpu(), expected.detach(), rtol=rtol, atol=atol, equal_nan=True)

    def assert_agrees(self, function, *tensors, **tolerances):
        """The function gives the same on both, and the same gradients."""
        results = []
        for device in ("cpu", DEVICE):
            inputs = [tensor.detach().to(device).requires_grad_(tensor.is_floating_point()) for tensor in tensors]
            out = function(*inputs)
            found = [out]
            if out.requires_grad:
                weights = torch.linspace(-1, 1, out.numel()).reshape(out.shape).to(out.dtype)
                found += torch.autograd.grad(out, [each for each in inputs if each.requires_grad], weights.to(device))
            results.append(found)
        self.assertEqual(len(results[0]), len(results[1]))
        for expected, got in zip(*results):
            self.assert_close(got, expected, **tolerances)
