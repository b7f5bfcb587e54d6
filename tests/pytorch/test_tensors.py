"""Tensors: creation, copies, views, arithmetic, products, attention, and their gradients."""

import math
import unittest

import torch
import torch.nn.functional as F

from npu import DEVICE, NpuTest


class Creation(NpuTest):
    def test_of_constants(self):
        self.assert_close(torch.zeros(3, 5, device=DEVICE), torch.zeros(3, 5))
        self.assert_close(torch.full((7,), 2.5, device=DEVICE), torch.full((7,), 2.5))
        self.assert_close(torch.arange(-3, 11, 2, device=DEVICE), torch.arange(-3, 11, 2))
        self.assert_close(torch.linspace(0, 1, 11, device=DEVICE), torch.linspace(0, 1, 11))
        self.assert_close(torch.eye(4, 7, device=DEVICE), torch.eye(4, 7))

    def test_of_random_numbers_repeats_with_its_seed(self):
        torch.npu.manual_seed(5)
        first = torch.randn(1009, device=DEVICE)
        torch.npu.manual_seed(5)
        again = torch.randn(1009, device=DEVICE)
        self.assertTrue(torch.equal(first.cpu(), again.cpu()))
        self.assertLess(abs(first.mean().item()), 0.2)
        self.assertLess(abs(first.std().item() - 1), 0.2)

    def test_of_all_dtypes(self):
        for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.uint8, torch.int16,
                      torch.int32, torch.int64, torch.bool, torch.complex64):
            values = torch.tensor([0, 1, 2, 3, 5]).to(dtype)
            self.assertTrue(torch.equal(values.to(DEVICE).cpu(), values), dtype)


class Copies(NpuTest):
    def test_there_and_back(self):
        values = torch.randn(17, 31)
        self.assertTrue(torch.equal(values.to(DEVICE).cpu(), values))
        self.assertTrue(torch.equal(values.pin_memory().to(DEVICE, non_blocking=True).cpu(), values))

    def test_of_views(self):
        values = torch.randn(6, 10, 4)
        there = values.to(DEVICE)
        for view in (lambda t: t.transpose(0, 2), lambda t: t[1:5:2, :, 1], lambda t: t.permute(1, 2, 0)[3:7],
                     lambda t: t[:, None].expand(6, 3, 10, 4), lambda t: t.flatten()[5:100:7]):
            self.assertTrue(torch.equal(view(there).cpu(), view(values)))
            self.assertTrue(torch.equal(view(there).contiguous().cpu(), view(values)))

    def test_into_views(self):
        there, here = torch.zeros(6, 8, device=DEVICE), torch.zeros(6, 8)
        values = torch.randn(6, 4)
        there[:, ::2] = values.to(DEVICE)
        here[:, ::2] = values
        self.assertTrue(torch.equal(there.cpu(), here))

    def test_from_dtype_to_dtype(self):
        values = torch.tensor([-3.7, -0.5, 0.0, 0.5, 2.5, 100.25])
        for dtype in (torch.float16, torch.bfloat16, torch.int32, torch.int64, torch.bool, torch.float64):
            self.assertTrue(torch.equal(values.to(DEVICE).to(dtype).cpu(), values.to(dtype)), dtype)


class Arithmetic(NpuTest):
    def test_on_two_tensors(self):
        x, y = torch.randn(5, 1, 7), torch.randn(3, 7) + 3
        for function in (torch.add, torch.sub, torch.mul, torch.div, torch.maximum, torch.pow):
            self.assert_agrees(function, x.abs() + 0.5, y)
        self.assert_agrees(lambda a, b: torch.where(a > b, a, b * 2), x, y)

    def test_on_one_tensor(self):
        x = torch.rand(257) * 2 + 0.1
        for function in (torch.exp, torch.log, torch.sqrt, torch.sin, torch.tanh, torch.sigmoid, torch.erf, F.gelu, F.silu,
                         F.relu, torch.abs, torch.rsqrt, torch.log1p, F.softplus):
            self.assert_agrees(function, x)

    def test_of_integers_and_truths(self):
        x, y = torch.randint(-50, 50, (13, 7)), torch.randint(1, 9, (7,))
        there = x.to(DEVICE), y.to(DEVICE)
        for function in (torch.add, torch.mul, lambda a, b: a // b, lambda a, b: a % b, torch.bitwise_xor, torch.gt):
            self.assertTrue(torch.equal(function(*there).cpu(), function(x, y)))
        truths, others = x > 0, x > 10
        self.assertTrue(torch.equal((truths.to(DEVICE) + others.to(DEVICE)).cpu(), truths + others))
        self.assertTrue(torch.equal((truths.to(DEVICE) & others.to(DEVICE)).cpu(), truths & others))

    def test_over_dims(self):
        x = torch.randn(5, 11, 7)
        self.assert_agrees(lambda t: t.sum(1), x)
        self.assert_agrees(lambda t: t.mean((0, 2)), x)
        self.assert_agrees(lambda t: t.amax(2), x)
        self.assert_agrees(lambda t: torch.softmax(t, 1), x)
        self.assert_agrees(lambda t: torch.log_softmax(t, -1), x)
        self.assert_agrees(lambda t: torch.cumsum(t, 1), x)
        self.assert_agrees(lambda t: torch.linalg.vector_norm(t, dim=1), x)
        values, places = x.to(DEVICE).sort(dim=1)
        expected = x.sort(dim=1)
        self.assertTrue(torch.equal(values.cpu(), expected.values))
        self.assertTrue(torch.equal(places.cpu(), expected.indices))

    def test_by_index(self):
        x, index = torch.randn(11, 7), torch.tensor([3, 3, 0, 10])
        self.assert_agrees(lambda t: t.index_select(0, index.to(t.device)), x)
        self.assert_agrees(lambda t: t[index.to(t.device), 2:], x)
        self.assert_agrees(lambda t: torch.gather(t, 0, torch.zeros(1, 7, dtype=torch.int64, device=t.device)), x)
        self.assert_agrees(lambda t: torch.cat([t, t[:3] * 2], 0), x)


class Products(NpuTest):
    def test_of_matrices(self):
        self.assert_agrees(torch.matmul, torch.randn(37, 53), torch.randn(53, 29), rtol=1e-3, atol=1e-4)
        self.assert_agrees(torch.bmm, torch.randn(5, 7, 13), torch.randn(5, 13, 11), rtol=1e-3, atol=1e-4)
        self.assert_agrees(torch.matmul, torch.randn(2, 3, 7, 13), torch.randn(13, 11), rtol=1e-3, atol=1e-4)
        self.assert_agrees(torch.addmm, torch.randn(29), torch.randn(7, 53), torch.randn(53, 29), rtol=1e-3, atol=1e-4)
        self.assert_agrees(lambda x, w, b: F.linear(x, w, b), torch.randn(4, 9, 17), torch.randn(23, 17), torch.randn(23),
                           rtol=1e-3, atol=1e-4)

    def test_in_half_precision(self):
        x, y = torch.randn(33, 65), torch.randn(65, 17)
        for dtype, tolerance in ((torch.float16, 2e-2), (torch.bfloat16, 1e-1)):
            got = x.to(dtype).to(DEVICE) @ y.to(dtype).to(DEVICE)
            self.assert_close(got.float(), x.to(dtype).float() @ y.to(dtype).float(), rtol=tolerance, atol=tolerance)


class Attention(NpuTest):
    @staticmethod
    def reference(q, k, v, mask):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        return torch.softmax(scores.masked_fill(~mask, float("-inf")), -1) @ v

    def test_is_that_of_its_definition(self):
        q, k, v = (torch.randn(2, 4, length, 16) for length in (9, 13, 13))
        mask = torch.ones(9, 13, dtype=torch.bool)
        with torch.no_grad():
            got = F.scaled_dot_product_attention(q.to(DEVICE), k.to(DEVICE), v.to(DEVICE))
        self.assert_close(got, self.reference(q, k, v, mask), rtol=1e-3, atol=1e-4)

    def test_of_causal_half_precision(self):
        q, k, v = (torch.randn(2, 4, 32, 32, dtype=torch.float16) for _ in range(3))
        mask = torch.ones(32, 32, dtype=torch.bool).tril()
        with torch.no_grad():
            got = F.scaled_dot_product_attention(q.to(DEVICE), k.to(DEVICE), v.to(DEVICE), is_causal=True)
        self.assert_close(got.float(), self.reference(q.float(), k.float(), v.float(), mask), rtol=2e-2, atol=2e-3)


if __name__ == "__main__":
    unittest.main()
