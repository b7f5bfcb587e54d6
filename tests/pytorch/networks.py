"""Small networks, data that they can learn, and a rate at which they do."""

import torch
import torch.nn.functional as F
from torch import nn


def convolutional():
    net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
                        nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                        nn.Linear(16, 4))
    batches = []
    for _ in range(4):
        labels = torch.randint(0, 4, (16,))
        images = torch.randn(16, 1, 12, 12) * 0.3
        for image, label in zip(images, labels):
            image[0, 3 * label:3 * label + 3] += 1.5
        batches.append((images, labels))
    return net, batches, 0.05


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.first(x)).reshape(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) * (width // self.heads) ** -0.5
        hidden = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        seen = torch.softmax(scores.masked_fill(hidden, float("-inf")), -1) @ v
        x = x + self.out(seen.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.second(x))))


class Transformer(nn.Module):
    """A GPT of two blocks."""

    def __init__(self, words=11, length=12, width=32):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(Block(width, 4), Block(width, 4))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words)

    def forward(self, tokens):
        x = self.words(tokens) + self.places(torch.arange(tokens.shape[1], device=tokens.device))
        return self.head(self.norm(self.blocks(x))).flatten(0, 1)


def sequences():
    """Numbers that go up by a step that differs from sequence to sequence."""
    starts, steps = torch.randint(0, 11, (8, 1)), torch.randint(1, 4, (8, 1))
    return (starts + steps * torch.arange(13)) % 11


def transformer():
    batches = [(numbers[:, :-1], numbers[:, 1:].flatten()) for numbers in (sequences() for _ in range(4))]
    return Transformer(), batches, 0.02


class Recurrent(nn.Module):
    def __init__(self, words=11, width=24):
        super().__init__()
        self.words, self.cells, self.head = nn.Embedding(words, width), nn.LSTM(width, width, batch_first=True), nn.Linear(width, words)

    def forward(self, tokens):
        return self.head(self.cells(self.words(tokens))[0]).flatten(0, 1)


def recurrent():
    batches = [(numbers[:, :-1], numbers[:, 1:].flatten()) for numbers in (sequences() for _ in range(4))]
    return Recurrent(), batches, 0.3
