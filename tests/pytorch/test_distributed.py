"""torch.distributed with one process: HCCL's communicators of one rank."""

import os
import socket
import unittest

import torch
import torch.distributed as dist

from npu import DEVICE, NpuTest


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class OneProcess(NpuTest):
    @classmethod
    def setUpClass(cls):
        os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
        dist.init_process_group("hccl", rank=0, world_size=1)

    @classmethod
    def tearDownClass(cls):
        dist.destroy_process_group()

    def test_reduces_and_gathers_itself(self):
        x = torch.arange(1, 14, dtype=torch.float32, device=DEVICE)
        dist.all_reduce(x)
        self.assertEqual(x.cpu().tolist(), list(range(1, 14)))
        rows = [torch.zeros_like(x)]
        dist.all_gather(rows, x * 2)
        self.assertEqual(rows[0].cpu().tolist(), [2 * i for i in range(1, 14)])
        part = torch.zeros_like(x)
        dist.reduce_scatter(part, [x + 1])
        self.assertEqual(part.cpu().tolist(), [i + 1 for i in range(1, 14)])
        dist.broadcast(x, 0)
        dist.barrier()
        self.assertEqual(dist.get_world_size(), 1)

    def test_wraps_a_model(self):
        torch.manual_seed(3)
        alone = torch.nn.Linear(5, 3)
        wrapped = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(5, 3).to(DEVICE))
        wrapped.module.load_state_dict(alone.state_dict())
        x = torch.randn(7, 5)
        alone(x).square().sum().backward()
        wrapped(x.to(DEVICE)).square().sum().backward()
        for expected, got in zip(alone.parameters(), wrapped.parameters()):
            torch.testing.assert_close(got.grad.cpu(), expected.grad, rtol=1e-4, atol=1e-4)


if __name__ == "__main__":
    unittest.main()
