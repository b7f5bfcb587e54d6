#!/usr/bin/env python3
"""Runs torch's own database of operators on the device and on the CPU, and compares: op_database.py OUTPUT [OPTION]...

Entries are those of torch.testing._internal.common_methods_invocations.op_db that take float32, forward and backward. Each
entry is one of

    pass              results and gradients agree
    fallback          they agree, and torch_npu has computed a part on the CPU
    own way           torch_npu answers otherwise than the CPU, or refuses by itself, before it calls an operator
    wrong             a result or a gradient differs
    missing forward   an operator of aclnn that is not built
    missing backward  the same, for a gradient only
    refused           another error

Processes of their own run the entries, so that one that crashes or hangs is one that fails ("crash", "timeout").
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import warnings

RANDOM = re.compile(r"rand|bernoulli|multinomial|normal$|^normal|dropout|empty|uniform|exponential|geometric|cauchy|log_normal|rrelu"
                    r"|fractional|lowrank|multi_head_attention")
# Views that read beside their tensor: a copy has nothing there.
BESIDE = "partial_views"
# Indices of maxima, for which torch_npu has masks or a dtype of its own.
OWN_INDICES = re.compile(r"max_pool")
# What torch_npu, or the chip, does in a way of its own.
OWN_WAY = {
    "nn.functional.gelu": "the error function stands for approximate='tanh'",
    "nn.functional.binary_cross_entropy_with_logits": "the weight has no gradient",
    "native_layer_norm": "statistics of nothing have another shape",
    "native_batch_norm": "the third result is the variance, as on the chip",
    "_native_batch_norm_legit": "the third result is the variance, as on the chip",
    "float_power": "double is float",
    "double": "double is float",
    "native_dropout_backward": "masks are bits",
}
OPERATOR = re.compile(r"\b(acl(?:nn)?[A-Z]\w*?)(?:GetWorkspaceSize)?\b")
SENTENCE = re.compile(r"(?:not in lib\w+|not found|can't find|failed to find|undefined symbol)", re.IGNORECASE)
# torch_npu logs which operator of aclnn it misses before it continues with one by name (aclop), of which there are none.
BY_NAME = "Acl op is disabled"
MISSED = re.compile(r"\b(aclnn\w+) or aclnn\w+GetWorkspaceSize not in")
ORDER = ("pass", "fallback", "own way", "wrong", "missing forward", "missing backward", "refused", "crash", "timeout")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path, help="one JSON object a line")
    parser.add_argument("--samples", type=int, default=6, help="inputs of an entry, spread over all of them")
    parser.add_argument("--only", default="", help="a regular expression on the names of entries")
    parser.add_argument("--every", type=int, default=1, help="each so many entries: 5 is a fifth of them")
    parser.add_argument("--seconds", type=float, default=120, help="for one entry")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


# The process that computes.

def moved(value, device):
    """The value with its tensors on a device; they have gradients where those had."""
    import torch
    if isinstance(value, torch.Tensor):
        return value.detach().to(device).requires_grad_(value.requires_grad)
    if isinstance(value, (list, tuple)):
        parts = [moved(part, device) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, dict):
        return {key: moved(part, device) for key, part in value.items()}
    if isinstance(value, torch.device) or value == "cpu":
        return torch.device(device)
    return value


def tensors_in(value):
    import torch
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [tensor for part in value for tensor in tensors_in(part)]
    if isinstance(value, dict):
        return [tensor for part in value.values() for tensor in tensors_in(part)]
    return []


def forward(op, sample):
    result = op(sample[0], *sample[1], **sample[2])
    return sample[3](result) if sample[3] else result


def gradients(results, sample, factors):
    import torch
    inputs = [tensor for tensor in tensors_in(sample[:3]) if tensor.requires_grad]
    outputs = [tensor for tensor in tensors_in(results) if tensor.requires_grad]
    if not inputs or not outputs:
        return []
    return list(torch.autograd.grad(outputs, inputs, [factor.to(out.device) for factor, out in zip(factors, outputs)],
                                    allow_unused=True))


def differences(got, expected, values):
    """What differs, or nothing. Tolerances are those of float32 with sums in another order."""
    import torch
    if len(got) != len(expected):
        return f"{len(got)} tensors; {len(expected)} are expected"
    for a, b in zip(got, expected):
        if a is None or b is None:
            if (a is None) != (b is None):
                return "a gradient is there on one side only"
            continue
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{tuple(a.shape)} {a.dtype}; {tuple(b.shape)} {b.dtype} is expected"
        if values:
            try:
                torch.testing.assert_close(a.detach().cpu(), b.detach(), rtol=1e-3, atol=1e-4, equal_nan=True)
            except AssertionError as error:
                return " ".join(str(error).split())[:300]
    return ""


def sentence_of(error):
    """The first line that says something, and the operator that is missing, if one is."""
    text = str(error)
    operator = OPERATOR.search(text) if SENTENCE.search(text) else None
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (lines or [type(error).__name__])[0][:300], operator[1] if operator else "", " ".join(lines)[:1500]


def chosen(samples, count):
    """So many of them, the first and the last among them."""
    if len(samples) <= count:
        return samples
    return [samples[i * (len(samples) - 1) // max(count - 1, 1)] for i in range(count)]


def run_entry(op, options):
    import torch
    torch.manual_seed(7)
    samples = chosen(list(op.sample_inputs("cpu", torch.float32, requires_grad=op.supports_autograd)), options.samples)
    entry = {"status": "pass", "samples": len(samples)}
    fixed = not RANDOM.search(op.name) and op.variant_test_name != BESIDE
    for number, sample in enumerate(samples):
        reference = (sample.input, sample.args, sample.kwargs, sample.output_process_fn_grad)
        try:
            expected = forward(op, moved(reference[:3], "cpu") + (reference[3],))
        except Exception:  # torch itself does not take it
            continue
        found = run_sample(op, reference, fixed and not sample.kwargs.get("dropout_p"))
        if found:
            if found["status"] in ("wrong", "refused") and op.name in OWN_WAY:
                found = {"status": "own way", "what": OWN_WAY[op.name]}
            return {**entry, **found, "sample": number}
    return entry


def run_sample(op, reference, compares):
    import torch
    there = moved(reference[:3], "npu") + (reference[3],)
    here = moved(reference[:3], "cpu") + (reference[3],)
    expected = forward(op, here)
    try:
        got = forward(op, there)
        torch.npu.synchronize()
    except Exception as error:
        return failure(error, "forward")
    results = tensors_in(got), tensors_in(expected)
    if OWN_INDICES.search(op.name):
        results = [[tensor for tensor in each if tensor.is_floating_point()] for each in results]
    wrong = differences(*results, compares)
    if wrong:
        return {"status": "wrong", "what": "forward: " + wrong}
    if not op.supports_autograd:
        return None
    generator = torch.Generator().manual_seed(11)
    factors = [torch.randn(out.shape, dtype=out.dtype, generator=generator)
               for out in tensors_in(expected) if out.requires_grad]
    try:
        wanted = gradients(expected, here, factors)
    except Exception:
        return None
    try:
        given = gradients(got, there, factors)
        torch.npu.synchronize()
    except Exception as error:
        return failure(error, "backward")
    wrong = differences(given, wanted, compares)
    return {"status": "wrong", "what": "backward: " + wrong} if wrong else None


FALLS_BACK = re.compile(r"operator '?(aten::[\w.]+)'? is (?:currently )?not (?:currently )?supported on the NPU backend")


class Log:
    """What this process writes to its standard error, which a file takes."""

    def __init__(self):
        self.file = tempfile.TemporaryFile()
        os.dup2(self.file.fileno(), 2)

    def forget(self):
        os.ftruncate(2, 0)
        os.lseek(2, 0, os.SEEK_SET)

    def lines(self):
        return os.pread(self.file.fileno(), os.fstat(2).st_size, 0).decode(errors="replace").splitlines()

    def last_missed(self):
        """A thread of the library writes its lines, a little later."""
        for _ in range(20):
            names = MISSED.findall("\n".join(self.lines()))
            if names:
                return names[-1]
            time.sleep(0.05)
        return ""


LOG = None


def failure(error, phase):
    first, operator, whole = sentence_of(error)
    if BY_NAME in whole:
        operator = LOG.last_missed() or "an operator by name"
    if operator:
        return {"status": f"missing {phase}", "operator": operator, "what": first}
    by_operator = "call aclnn" in whole or "acl api" in whole
    return {"status": "refused" if by_operator else "own way", "what": f"{phase}: {first}", "whole": whole}


def work(options):
    """Runs the entries whose numbers come in, and answers with a line each."""
    import torch
    import torch_npu  # noqa: F401
    from torch.testing._internal.common_methods_invocations import op_db
    global LOG
    answers = os.fdopen(os.dup(1), "w")
    LOG = Log()
    os.dup2(2, 1)  # what libraries print does not mix with the answers
    torch.npu.set_device(0)
    torch.set_warn_always(True)
    for line in sys.stdin:
        op = op_db[int(line)]
        LOG.forget()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                entry = run_entry(op, options)
            except Exception as error:
                entry = {"status": "refused", "what": sentence_of(error)[0], "whole": sentence_of(error)[2]}
        said = [str(each.message) for each in caught] + LOG.lines()
        fallen = sorted({match[1] for line in said for match in FALLS_BACK.finditer(line)})
        if fallen:
            entry["fallback"] = fallen
            if entry["status"] == "pass":
                entry["status"] = "fallback"
        print(json.dumps(entry), file=answers, flush=True)
    return 0


# The process that counts.

class Worker:
    def __init__(self, options):
        command = [sys.executable, __file__, "-", "--worker", "--samples", str(options.samples)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, env={**os.environ, "ASCEND_GLOBAL_LOG_LEVEL": "2"})
        self.options = options

    def run(self, number):
        """The answer; nothing where the process has ended or takes too long."""
        import select
        try:
            self.process.stdin.write(f"{number}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None, "crash"
        # The first entry has to import torch, too.
        ready, _, _ = select.select([self.process.stdout], [], [], self.options.seconds)
        if not ready:
            return None, "timeout"
        line = self.process.stdout.readline()
        return (json.loads(line), "") if line else (None, "crash")

    def end(self):
        self.process.kill()
        self.process.wait()


def numbers(options):
    code = ("import torch\nfrom torch.testing._internal.common_methods_invocations import op_db\n"
            "for i, op in enumerate(op_db):\n"
            "    if torch.float32 in op.supported_dtypes('cpu'): print(i, op.name, op.variant_test_name, sep='\\t')")
    text = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                          env={**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}).stdout
    rows = [line.split("\t") for line in text.splitlines() if line[:1].isdigit()]
    entries = [(int(number), name + (f" ({variant})" if variant else "")) for number, name, variant in rows]
    return [entry for entry in entries if re.search(options.only, entry[1])][::options.every]


def count(options):
    entries = numbers(options)
    counts = collections.Counter()
    worker = None
    begin = time.monotonic()
    with open(options.output, "w", encoding="utf-8") as output:
        for number, name in entries:
            worker = worker or Worker(options)
            started = time.monotonic()
            entry, reason = worker.run(number)
            if entry is None:
                worker.end()
                worker = None
                entry = {"status": reason}
            counts[entry["status"]] += 1
            entry = {"name": name, **entry, "seconds": round(time.monotonic() - started, 2)}
            print(json.dumps(entry), file=output, flush=True)
    if worker:
        worker.end()
    print(f"{len(entries)} entries in {time.monotonic() - begin:.0f} s: " +
          ", ".join(f"{counts[status]} {status}" for status in ORDER if counts[status]))
    return 0


def main():
    options = arguments()
    return work(options) if options.worker else count(options)


if __name__ == "__main__":
    sys.exit(main())
