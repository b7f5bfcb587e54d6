"""A residual network for images through the library and through torch: the layers of ResNet-18 at an eighth of its width. The
normalisations are part of the convolutions, as they are for inference."""

import sys

import torch
import torch.nn.functional as F

import acl

WIDTHS = (8, 16, 32, 64)
TOLERANCE = {torch.float32: 2.0**-13, torch.float16: 2.0**-6}


class Torch:
    """The layers, in double precision."""

    def conv(self, x, weight, bias, stride, padding):
        return F.conv2d(x, weight.double(), bias.double(), stride, padding)

    def relu(self, x):
        return F.relu(x)

    def add(self, x, y):
        return x + y

    def max_pool(self, x):
        return F.max_pool2d(x, 3, 2, 1)

    def mean(self, x):
        return F.adaptive_avg_pool2d(x, (1, 1))

    def linear(self, x, weight, bias):
        return F.linear(x.flatten(1), weight.double(), bias.double())


class Library:
    """The layers by their operators. Nothing waits for a layer, and all tensors live until the end."""

    def __init__(self, session):
        self.session = session
        self.ends = []

    def tensor(self, value):
        made = acl.Tensor(value)
        made.write()
        self.ends.append(made.free)
        return made

    def result(self, like, *shape, dtype=None):
        return self.tensor(torch.zeros(shape, dtype=dtype or like.host.dtype))

    def launch(self, name, /, **given):
        arguments = []
        for parameter in acl.SIGNATURES["aclnn" + name]:
            value = given[parameter.name]
            is_tensor = isinstance(value, acl.Tensor)
            arguments.append(value.handle if is_tensor else acl.attribute(parameter.kind, value, self.ends))
        workspace = self.session.launch("aclnn" + name, arguments)
        if workspace:
            self.ends.append(workspace.free)

    def conv(self, x, weight, bias, stride, padding):
        images, _, *sizes = x.host.shape
        places = [(size + 2 * padding - weight.shape[2]) // stride + 1 for size in sizes]
        output = self.result(x, images, weight.shape[0], *places)
        self.launch(
            "Convolution",
            input=x,
            weight=self.tensor(weight),
            bias=self.tensor(bias),
            stride=[stride] * 2,
            padding=[padding] * 2,
            dilation=[1, 1],
            transposed=False,
            outputPadding=[0, 0],
            groups=1,
            output=output,
            cubeMathType=0,
        )
        return output

    def relu(self, x):
        self.launch("InplaceRelu", selfRef=x)
        return x

    def add(self, x, y):
        self.launch("InplaceAdd", selfRef=x, other=y, alpha=1)
        return x

    def max_pool(self, x):
        shape = (*x.host.shape[:2], *((size - 1) // 2 + 1 for size in x.host.shape[2:]))
        out = self.result(x, *shape)
        self.launch(
            "MaxPool2dWithIndices",
            self=x,
            kernelSize=[3, 3],
            stride=[2, 2],
            padding=[1, 1],
            dilation=[1, 1],
            ceilMode=False,
            out=out,
            indices=self.result(x, *shape, dtype=torch.int32),
        )
        return out

    def mean(self, x):
        out = self.result(x, *x.host.shape[:2], 1, 1)
        self.launch("AdaptiveAvgPool2d", self=x, outputSize=[1, 1], out=out)
        return out

    def linear(self, x, weight, bias):
        images, features = x.host.shape[:2]
        rows = self.result(x, images, features)
        self.launch("Flatten", self=x, axis=1, out=rows)
        out = self.result(x, images, weight.shape[0])
        columns = self.tensor(weight.t())
        self.launch("Addmm", self=self.tensor(bias), mat1=rows, mat2=columns, beta=1, alpha=1, out=out, cubeMathType=0)
        return out

    def free(self):
        for end in self.ends:
            end()


class Weights:
    """The same ones in the same order for each run."""

    def __init__(self, dtype):
        self.generator = torch.Generator().manual_seed(2027)
        self.dtype = dtype

    def draw(self, *shape, scale):
        return (torch.randn(shape, generator=self.generator) * scale).to(self.dtype)

    def conv(self, results, channels, size):
        scale = (2.0 / (channels * size * size)) ** 0.5
        return self.draw(results, channels, size, size, scale=scale), self.draw(results, scale=0.1)


def block(layers, weights, x, channels, results, stride):
    y = layers.relu(layers.conv(x, *weights.conv(results, channels, 3), stride, 1))
    y = layers.conv(y, *weights.conv(results, results, 3), 1, 1)
    if stride != 1 or channels != results:
        x = layers.conv(x, *weights.conv(results, channels, 1), stride, 0)
    return layers.relu(layers.add(y, x))


def network(layers, weights, x):
    x = layers.relu(layers.conv(x, *weights.conv(WIDTHS[0], 3, 7), 2, 3))
    x = layers.max_pool(x)
    channels = WIDTHS[0]
    for number, width in enumerate(WIDTHS):
        x = block(layers, weights, x, channels, width, 2 if number else 1)
        x = block(layers, weights, x, width, width, 1)
        channels = width
    return layers.linear(layers.mean(x), weights.draw(10, channels, scale=channels**-0.5), weights.draw(10, scale=0.1))


def error_of(session, dtype):
    image = torch.randn((2, 3, 96, 80), generator=torch.Generator().manual_seed(1)).to(dtype)
    expected = network(Torch(), Weights(dtype), image.double())
    layers = Library(session)
    got = network(layers, Weights(dtype), layers.tensor(image))
    session.synchronize()
    error = ((got.result().double() - expected).abs() / expected.abs().mean()).max().item()
    layers.free()
    return error


def main():
    failures = 0
    with acl.Session() as session:
        for dtype, tolerance in TOLERANCE.items():
            error = error_of(session, dtype)
            failures += not error <= tolerance
            print(f"{dtype}: the largest error is {error:.2e} of the mean result; {tolerance:.2e} is allowed.")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
