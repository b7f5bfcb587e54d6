"""torch.nn.LSTM through the library: results, and the gradients that torch finds from the same ones of the results. What is kept for
gradients goes from one operator to the other.
"""

import sys

import torch
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence

import acl

TOLERANCE = {torch.float32: 2.0**-15, torch.float16: 2.0**-8, torch.bfloat16: 2.0**-5}
KEPT = ("i", "j", "f", "o", "h", "c", "tanhC")
GRADIENT_NAMES = {"j": "g", "tanhC": "tanhc"}


class Story:
    """A module in double precision, and tensors of a dtype whose values it has."""

    def __init__(self, dtype, layers=1, bidirectional=False, bias=True, batch_first=False, lengths=None, sizes=(7, 5, 11, 13)):
        self.steps, self.batch, features, size = sizes
        self.size, self.layers, self.directions = size, layers, 2 if bidirectional else 1
        self.dtype, self.bias, self.batch_first, self.lengths = dtype, bias, batch_first, lengths
        torch.manual_seed(2027)
        self.module = torch.nn.LSTM(features, size, layers, bias, batch_first, 0.0, bidirectional).double()
        with torch.no_grad():
            for weight in self.module.parameters():
                weight.copy_(weight.to(dtype))
        self.hx = [self.draw(layers * self.directions, self.batch, size) for _ in range(2)]
        shape = (self.batch, self.steps) if batch_first else (self.steps, self.batch)
        x = self.draw(*shape, features)
        self.packed = pack_padded_sequence(x, lengths, batch_first) if lengths else None
        self.x = self.packed.data if lengths else x

    def draw(self, *shape):
        return torch.randn(shape).to(self.dtype)

    def torch_results(self, gradients):
        """Results, and gradients of the input, of both states and of all weights."""
        x = self.x.double().requires_grad_()
        states = [one.double().requires_grad_() for one in self.hx]
        given = PackedSequence(x, self.packed.batch_sizes) if self.packed else x
        y, (h, c) = self.module(given, states)
        results = (y.data if self.packed else y, h, c)
        wanted = (x, *states, *self.module.parameters())
        if gradients is None:
            return [one.detach() for one in results], None
        return results, torch.autograd.grad(results, wanted, [one.double() for one in gradients])


WEIGHTS = ("wIh", "wHh", "bIhOptional", "bHhOptional")
REVERSED = ("wIhReverseOptional", "wHhReverseOptional", "bIhReverseOptional", "bHhReverseOptional")


def launch(session, name, given, keep):
    arguments, operands = [], []
    for parameter in acl.SIGNATURES["aclnn" + name]:
        value = given[parameter.name]
        if isinstance(value, (acl.Tensor, acl.TensorList)):
            operands.append(value)
            arguments.append(value.handle)
        else:
            arguments.append(acl.attribute(parameter.kind, value, keep))
    session.run("aclnn" + name, arguments, operands)


def check(name, got, expected):
    scale = max(float(expected.abs().max()), 1.0) if expected.numel() else 1.0
    limit = TOLERANCE[got.dtype] * scale
    worst = float((got.double() - expected).abs().max()) if expected.numel() else 0.0
    if not worst <= limit:
        raise AssertionError(f"{name} is off by {worst}; at most {limit} is fine.")


def run_one_layer(session, story, results, keep):
    """The operator of one layer, whose weights are tensors of their own."""
    weights = [acl.Tensor(one.detach().to(story.dtype)) for one in story.module.parameters()]
    names = WEIGHTS + REVERSED if story.directions == 2 else WEIGHTS
    given = {**dict.fromkeys(WEIGHTS + REVERSED), **dict(zip(names, weights))}
    outputs = [acl.Tensor(torch.zeros(one.shape, dtype=story.dtype)) for one in results]
    given.update(
        x=acl.Tensor(story.x),
        initH=acl.Tensor(story.hx[0]),
        initC=acl.Tensor(story.hx[1]),
        numLayers=1,
        isbias=True,
        batchFirst=story.batch_first,
        bidirection=story.directions == 2,
        **dict(zip(("yOut", "outputHOut", "outputCOut"), outputs)),
    )
    launch(session, "BidirectionLSTM", given, keep)
    for number, (one, value) in enumerate(zip(outputs, results)):
        check(f"result {number} of one layer", one.result(), value)


def run(session, story):
    keep = []
    results, _ = story.torch_results(None)
    gradients = [story.draw(*one.shape) for one in results]
    _, expected = story.torch_results(gradients)
    lanes = story.layers * story.directions

    def like(of):
        return acl.Tensor(torch.zeros(of.shape, dtype=story.dtype))

    shared = {
        "input": acl.Tensor(story.x.contiguous()),
        "params": acl.TensorList([one.detach().to(story.dtype) for one in story.module.parameters()]),
        "hx": acl.TensorList(story.hx),
        "hasBias": story.bias,
        "numLayers": story.layers,
        "dropout": 0.0,
        "train": True,
        "bidirectional": story.directions == 2,
        "batchFirst": story.batch_first,
    }
    sizes = acl.Tensor(story.packed.batch_sizes) if story.packed else None
    shape = (story.steps, story.batch, story.size)
    kept = {name: acl.TensorList([torch.zeros(shape, dtype=story.dtype) for _ in range(lanes)]) for name in KEPT}
    outputs = {name: like(one) for name, one in zip(("output", "hy", "cy"), results)}
    lists = {name + "Out": one for name, one in kept.items()}
    launch(session, "LSTM", {**shared, "batchSizes": sizes, **outputs, **lists}, keep)
    for (name, one), value in zip(outputs.items(), results):
        check(name, one.result(), value)

    for one in kept.values():  # what is written before the next operator runs is what this one left
        for member in one.tensors:
            member.host.copy_(member.result())
    of_results = dict(zip(("dy", "dh", "dc"), (acl.Tensor(one) for one in gradients)))
    found = dict(zip(("dxOut", "dhPrevOut", "dcPrevOut"), (like(one) for one in expected)))
    dparams = acl.TensorList([torch.zeros(one.shape, dtype=story.dtype) for one in story.module.parameters()])
    given = {GRADIENT_NAMES.get(name, name): one for name, one in kept.items()}
    mask = {"batchSizesOptional": sizes, "outputMask": [True] * 4, "dparamsOut": dparams}
    launch(session, "LstmBackward", {**shared, **given, **of_results, **found, **mask}, keep)
    for (name, one), value in zip(found.items(), expected):
        check(name, one.result(), value)
    for number, (one, value) in enumerate(zip(dparams.result(), expected[3:])):
        check(f"dparams {number}", one, value)
    if story.layers == 1 and story.bias and not story.packed:
        run_one_layer(session, story, results, keep)
    for end in keep:
        end()


STORIES = [
    {},
    {"layers": 2, "bidirectional": True},
    {"layers": 3, "bias": False, "batch_first": True},
    {"bidirectional": True, "lengths": [7, 4, 4, 2, 1]},
    {"layers": 2, "lengths": [7, 7, 7, 7, 7], "bias": False},
    {"bidirectional": True, "batch_first": True},
    {"layers": 2, "bidirectional": True, "sizes": (33, 8, 64, 96)},
]


def main():
    failures = runs = 0
    torch.set_num_threads(1)
    with acl.Session() as session:
        for given in STORIES:
            for dtype in TOLERANCE:
                runs += 1
                try:
                    run(session, Story(dtype, **given))
                except Exception as problem:
                    failures += 1
                    print(f"FAILED {dtype} {given}: {problem}", flush=True)
    print(f"{runs} runs, {failures} failed.")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
