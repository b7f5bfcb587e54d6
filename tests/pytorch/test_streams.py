"""Streams, events, graphs (capture, replay, update), and queries of its devices."""

import unittest

import torch
import torch_npu

from npu import DEVICE, NpuTest


class Streams(NpuTest):
    def test_wait_for_each_other(self):
        x = torch.randn(257, 257)
        there = x.to(DEVICE)
        torch.npu.synchronize()
        stream, event = torch.npu.Stream(), torch.npu.Event()
        with torch.npu.stream(stream):
            square = there @ there
            event.record(stream)
        torch.npu.current_stream().wait_event(event)
        result = square + 1
        self.assert_close(result, x @ x + 1, rtol=1e-3, atol=1e-3)

    def test_events_measure_time(self):
        first, last = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)
        x = torch.randn(256, 256, device=DEVICE)
        first.record()
        for _ in range(3):
            x = x @ x * 0.01
        last.record()
        last.synchronize()
        self.assertTrue(first.query() and last.query())
        self.assertGreater(first.elapsed_time(last), 0)

    def test_memory_is_used_again(self):
        torch.npu.empty_cache()
        before = torch.npu.memory_allocated()
        x = torch.zeros(1 << 20, device=DEVICE)
        self.assertTrue(4 << 20 <= torch.npu.memory_allocated() - before <= (4 << 20) + 4096)  # the allocator adds some
        del x
        self.assertEqual(torch.npu.memory_allocated(), before)


class Devices(NpuTest):
    def test_have_names_and_memory(self):
        self.assertGreaterEqual(torch.npu.device_count(), 1)
        self.assertTrue(torch.npu.get_device_name(0))
        self.assertGreater(torch.npu.get_device_properties(0).total_memory, 0)
        free, total = torch.npu.mem_get_info()
        self.assertTrue(0 < free <= total)


class Graphs(NpuTest):
    def test_run_again_with_other_values(self):
        x = torch.ones(5, 7, device=DEVICE)
        weight = torch.randn(7, 3, device=DEVICE)
        torch.npu.synchronize()
        graph = torch.npu.NPUGraph()
        with torch.npu.graph(graph):
            out = torch.relu(x @ weight) + 1
        for seed in range(3):
            torch.manual_seed(seed)
            values = torch.randn(5, 7)
            x.copy_(values)
            graph.replay()
            self.assert_close(out, torch.relu(values @ weight.cpu()) + 1, rtol=1e-3, atol=1e-4)

    def test_fork_and_join_streams(self):
        x = torch.ones(64, device=DEVICE)
        side = torch.npu.Stream()
        torch.npu.synchronize()
        graph = torch.npu.NPUGraph()
        with torch.npu.graph(graph):
            here = x * 2
            side.wait_stream(torch.npu.current_stream())
            with torch.npu.stream(side):
                there = x + 3
            torch.npu.current_stream().wait_stream(side)
            out = here + there
        x.fill_(5)
        graph.replay()
        self.assert_close(out, torch.full((64,), 18.0))

    def test_take_other_lengths_of_attention(self):
        """A decoding step: its graph is updated with the number of keys that count."""
        query = torch.randn(1, 4, 1, 32, dtype=torch.float16)
        keys, values = (torch.randn(1, 4, 24, 32, dtype=torch.float16) for _ in range(2))
        there = [tensor.to(DEVICE) for tensor in (query, keys, values)]
        arguments = {"num_heads": 4, "input_layout": "BNSD", "scale": 32 ** -0.5, "pre_tokens": 65535, "next_tokens": 65535,
                     "softmax_lse_flag": False}
        workspace = torch_npu._npu_fused_infer_attention_score_get_max_workspace(
            *there, actual_seq_lengths=[1], actual_seq_lengths_kv=[24], **arguments)
        out, logarithm = torch.empty_like(there[0]), torch.empty(1, dtype=torch.float16, device=DEVICE)
        stream = torch.npu.current_stream()
        torch.npu.synchronize()
        graph = torch.npu.NPUGraph()
        with torch.npu.graph(graph):
            stream = torch.npu.current_stream()
            event = torch.npu.ExternalEvent()
            event.wait(stream)
            event.reset(stream)
            torch.npu.graph_task_group_begin(stream)
            torch_npu.npu_fused_infer_attention_score.out(
                *there, workspace=workspace, actual_seq_lengths=[1], actual_seq_lengths_kv=[24], **arguments,
                out=[out, logarithm])
            handle = torch.npu.graph_task_group_end(stream)
        update = torch.npu.Stream()
        for length in (7, 24, 13):
            graph.replay()
            with torch.npu.stream(update):
                torch.npu.graph_task_update_begin(update, handle)
                torch_npu.npu_fused_infer_attention_score.out(
                    *there, workspace=workspace, actual_seq_lengths=[1], actual_seq_lengths_kv=[length], **arguments,
                    out=[out, logarithm])
                torch.npu.graph_task_update_end(update)
                event.record(update)
            torch.npu.synchronize()
            scores = query.float() @ keys.float()[:, :, :length].transpose(-2, -1) * 32 ** -0.5
            expected = torch.softmax(scores, -1) @ values.float()[:, :, :length]
            self.assert_close(out.float(), expected, rtol=2e-2, atol=2e-3)


if __name__ == "__main__":
    unittest.main()
