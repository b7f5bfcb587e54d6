"""Training: layers and their gradients, optimizers, mixed precision, saving, whole networks beside the CPU, graphs of steps."""

import io
import os
import tempfile
import unittest

import torch
import torch.nn.functional as F
from torch import nn

import networks
from npu import DEVICE, NpuTest

STEPS = int(os.environ.get("ACLVK_TRAINING_STEPS", "200"))


class Optimizers(NpuTest):
    KINDS = {"SGD": {"lr": 0.1, "momentum": 0.9}, "Adam": {"lr": 0.01}, "AdamW": {"lr": 0.01}, "RMSprop": {"lr": 0.01},
             "Adagrad": {"lr": 0.1}, "Adadelta": {}, "Adamax": {"lr": 0.01}, "NAdam": {"lr": 0.01}}

    def parameters_after(self, device, kind, options):
        torch.manual_seed(3)
        layer = nn.Linear(7, 5)
        inputs, targets = torch.randn(11, 7), torch.randn(11, 5)
        layer = layer.to(device)
        optimizer = getattr(torch.optim, kind)(layer.parameters(), **options)
        for _ in range(5):
            optimizer.zero_grad()
            F.mse_loss(layer(inputs.to(device)), targets.to(device)).backward()
            optimizer.step()
        return [parameter.detach().cpu() for parameter in layer.parameters()]

    def test_go_the_way_of_the_cpu(self):
        for kind, options in self.KINDS.items():
            for foreach in (False, True):
                with self.subTest(kind=kind, foreach=foreach):
                    settings = {**options, "foreach": foreach}
                    for got, expected in zip(*(self.parameters_after(device, kind, settings) for device in (DEVICE, "cpu"))):
                        self.assert_close(got, expected, rtol=1e-3, atol=1e-4)


class MixedPrecision(NpuTest):
    def test_scales_losses(self):
        torch.manual_seed(1)
        net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)).to(DEVICE)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
        scaler = torch.amp.GradScaler("npu")
        inputs, targets = torch.randn(64, 16, device=DEVICE), torch.randn(64, 4, device=DEVICE)
        losses = []
        for _ in range(20):
            optimizer.zero_grad()
            with torch.autocast("npu", dtype=torch.float16):
                out = net(inputs)
                self.assertEqual(out.dtype, torch.float16)
                loss = F.mse_loss(out.float(), targets)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            losses.append(loss.item())
        self.assertLess(losses[-1], 0.9 * losses[0])


class Saving(NpuTest):
    def test_keeps_values_and_places(self):
        net = nn.Linear(5, 3).to(DEVICE)
        file = io.BytesIO()
        torch.save(net.state_dict(), file)
        file.seek(0)
        loaded = torch.load(file, map_location="cpu")
        self.assertTrue(torch.equal(loaded["weight"], net.weight.detach().cpu()))
        file.seek(0)
        self.assertEqual(torch.load(file, map_location=DEVICE)["weight"].device, DEVICE)


class Networks(NpuTest):
    """The losses of the same steps on both, from the same weights and data. They part slowly, as sums are in another order."""

    def losses(self, make, device):
        torch.manual_seed(5)
        net, batches, learning_rate = make()
        net = net.to(device).train()
        optimizer = torch.optim.SGD(net.parameters(), lr=learning_rate, momentum=0.9)
        losses = []
        for step in range(STEPS):
            inputs, targets = (tensor.to(device) for tensor in batches[step % len(batches)])
            optimizer.zero_grad()
            loss = F.cross_entropy(net(inputs), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    def check(self, make):
        expected, got = self.losses(make, "cpu"), self.losses(make, DEVICE)
        self.assertLess(expected[-1], 0.7 * expected[0], "else the network learns nothing")
        for step, (here, there) in enumerate(zip(expected, got)):
            self.assertLess(abs(here - there), 1e-3 * here, f"step {step} of {STEPS}")

    def test_convolutions_with_batch_norm(self):
        self.check(networks.convolutional)

    def test_a_transformer(self):
        self.check(networks.transformer)

    def test_an_lstm(self):
        self.check(networks.recurrent)


class GraphsOfSteps(NpuTest):
    def test_train_as_steps_without_one(self):
        torch.manual_seed(2)
        inputs, targets = torch.randn(32, 8), torch.randn(32, 3)

        def made(device):
            torch.manual_seed(9)
            net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3)).to(device)
            return net, torch.optim.SGD(net.parameters(), lr=0.1)

        def step(net, optimizer, x, y):
            loss = F.mse_loss(net(x), y)
            loss.backward()
            optimizer.step()
            return loss

        net, optimizer = made(DEVICE)
        x, y = inputs.to(DEVICE), targets.to(DEVICE)
        side = torch.npu.Stream()
        side.wait_stream(torch.npu.current_stream())
        with torch.npu.stream(side):  # what is allocated for the first time is not part of the graph
            optimizer.zero_grad(set_to_none=True)
            step(net, optimizer, x, y)
        torch.npu.current_stream().wait_stream(side)
        graph = torch.npu.NPUGraph()
        optimizer.zero_grad(set_to_none=True)
        with torch.npu.graph(graph):
            loss = step(net, optimizer, x, y)
        losses = []
        for _ in range(10):
            graph.replay()
            losses.append(loss.item())
        reference, other = made("cpu")
        expected = []
        for _ in range(11):
            other.zero_grad(set_to_none=True)
            expected.append(step(reference, other, inputs, targets).item())
        for here, there in zip(expected[1:], losses):
            self.assertAlmostEqual(here, there, delta=1e-3)


class Compiled(NpuTest):
    def test_eager_backend(self):
        net = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 3))
        x = torch.randn(5, 8)
        expected = net(x)
        self.assert_close(torch.compile(net.to(DEVICE), backend="eager")(x.to(DEVICE)), expected, rtol=1e-3, atol=1e-4)


class Profiles(NpuTest):
    def test_name_operators(self):
        import torch_npu
        x = torch.randn(64, 64, device=DEVICE)
        with tempfile.TemporaryDirectory() as folder:
            with torch_npu.profiler.profile(
                    activities=[torch_npu.profiler.ProfilerActivity.CPU, torch_npu.profiler.ProfilerActivity.NPU],
                    on_trace_ready=torch_npu.profiler.tensorboard_trace_handler(folder, analyse_flag=False)):
                (x @ x).sum().item()
            names = [name for _, _, files in os.walk(folder) for name in files]
        self.assertTrue(names, "a profile leaves files")


if __name__ == "__main__":
    unittest.main()
