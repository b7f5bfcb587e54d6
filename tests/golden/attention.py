"""Attention: torch's products and softmax, put together as the operators say."""

import torch

import acl
from golden import main, op, values

HALVES = (torch.float16, torch.bfloat16)
PLAIN = {
    "preTokens": 2147483647,
    "nextTokens": 2147483647,
    "sparseMode": 0,
    "innerPrecise": 1,
    "blockSize": 0,
    "antiquantMode": 0,
    "keyAntiquantMode": 0,
    "valueAntiquantMode": 0,
    "queryQuantMode": 3,
    "softmaxLseFlag": False,
    "keepProb": 1.0,
    "pseType": 1,
}


def attention(name, meaning, drawn, inputs, dtypes, heads, key_heads, scale=0.25, layout="BNSD", **given):
    """A line whose parameters are left out but for those that are drawn or given."""
    attributes = dict(numHeads=heads, headNum=heads, numKeyValueHeads=key_heads, scaleValue=scale, inputLayout=layout)
    parameters = acl.SIGNATURES["aclnn" + name]
    others = {}
    for parameter in parameters:
        is_output = parameter.name in ("attentionOut", "attentionOutOut", "softmaxMaxOut", "softmaxSumOut")
        if parameter.name in drawn or is_output:
            continue
        others[parameter.name] = given.get(parameter.name, attributes.get(parameter.name, PLAIN.get(parameter.name)))
    op(name, meaning, dtypes=dtypes, inputs=inputs, **others)


def tensors(*shapes):
    """Each is a shape, or a list with one: a list of one tensor."""

    def make(generator, dtype):
        def draw(shape, domain):
            return values(shape, dtype, domain, generator)

        yield [[draw(one[0], (0.1, 1.5))] if isinstance(one, list) else draw(one, (0.1, 1.5)) for one in shapes]

    return make


def member(tensor):
    return tensor[0] if isinstance(tensor, list) else tensor


def by_groups(q, k):
    return k.repeat_interleave(q.shape[1] // k.shape[1], 1)


def attend(q, k, v, scale, shift=None, hidden=None, kept=None):
    """Of (sequences, heads, tokens, columns). Also the tops of the scores, and the sums of the weights."""
    scores = scale * (q @ by_groups(q, k).transpose(-1, -2))
    if shift is not None:
        scores = scores + shift
    if hidden is not None:
        scores = scores.masked_fill(hidden, -float("inf"))
    top = scores.amax(-1, keepdim=True)
    weights = torch.exp(scores - top)
    total = weights.sum(-1, keepdim=True)
    weights = weights / total
    if kept is not None:
        weights = weights * kept
    return weights @ by_groups(q, v), top.expand(*top.shape[:-1], 8), total.expand(*total.shape[:-1], 8)


def inferred(*given, scaleValue, **_):
    q, k, v, *shift = [member(one) for one in given]
    return attend(q, k, v, scaleValue, *shift)[0]


CACHE = ((2, 4, 5, 24), [(2, 2, 37, 24)], [(2, 2, 37, 24)])
for version in ("", "V2", "V3", "V4"):
    shift = "pseShift" if not version else "pseShiftOptional"
    attention(
        "FusedInferAttentionScore" + version,
        inferred,
        ("query", "key", "value", shift),
        tensors(*CACHE, (2, 4, 5, 37)),
        HALVES,
        4,
        2,
    )
for version in ("", "V2", "V3"):
    attention(
        "PromptFlashAttention" + version,
        inferred,
        ("query", "key", "value"),
        tensors((2, 4, 19, 16), (2, 2, 40, 16), (2, 2, 40, 16)),
        HALVES,
        4,
        2,
    )
for version in ("", "V2", "V3", "V4"):
    attention(
        "IncreFlashAttention" + version,
        inferred,
        ("query", "key", "value"),
        tensors((3, 8, 1, 64), [(3, 1, 90, 64)], [(3, 1, 90, 64)]),
        HALVES,
        8,
        1,
    )


# --- quantised keys ---


def integers(generator, dtype):
    q = values((2, 4, 3, 16), dtype, (0.1, 1.5), generator)
    k, v = (torch.randint(0, 127, (2, 2, 30, 16), generator=generator).to(torch.int8) for _ in range(2))
    yield [q, [k], [v]]


def from_integers(q, k, v, scaleValue, keyAntiquantScaleOptional, valueAntiquantScaleOptional, **_):
    keys = member(k).to(q.dtype) * keyAntiquantScaleOptional.to(q.dtype)[None, :, None, :]
    numbers = member(v).to(q.dtype) * valueAntiquantScaleOptional.to(q.dtype)[:, None, :, None]
    return attend(q, keys, numbers, scaleValue)[0]


GENERATOR = torch.Generator().manual_seed(7)
attention(
    "FusedInferAttentionScoreV4",
    from_integers,
    ("query", "key", "value"),
    integers,
    HALVES,
    4,
    2,
    keyAntiquantScaleOptional=torch.rand(2, 16, generator=GENERATOR) * 0.01 + 0.002,
    valueAntiquantScaleOptional=torch.rand(2, 30, generator=GENERATOR) * 0.01 + 0.002,
    valueAntiquantMode=1,
)


# --- ropes, prefixes, sinks ---


def with_ropes(q, k, v, query_rope, key_rope, scaleValue, **_):
    columns = torch.cat([q, query_rope], -1), torch.cat([member(k), key_rope], -1)
    return attend(*columns, member(v), scaleValue)[0]


def with_prefix(q, k, v, key_prefix, value_prefix, scaleValue, actualSharedPrefixLenOptional, **_):
    def joined(prefix, own):
        first = prefix[:, :, : actualSharedPrefixLenOptional[0]].expand(own.shape[0], -1, -1, -1)
        return torch.cat([first, own], 2)

    return attend(q, joined(key_prefix, member(k)), joined(value_prefix, member(v)), scaleValue)[0]


def with_sink(q, k, v, sink, scaleValue, **_):
    scores = scaleValue * (q @ by_groups(q, member(k)).transpose(-1, -2))
    all_scores = torch.cat([scores, sink.view(1, -1, 1, 1).expand(*scores.shape[:3], 1)], -1)
    return torch.softmax(all_scores, -1)[..., :-1] @ by_groups(q, member(v))


for version in ("V3", "V4"):
    attention(
        "FusedInferAttentionScore" + version,
        with_ropes,
        ("query", "key", "value", "queryRopeOptional", "keyRopeOptional"),
        tensors((2, 4, 3, 32), [(2, 1, 37, 32)], [(2, 1, 37, 32)], (2, 4, 3, 12), (2, 1, 37, 12)),
        HALVES,
        4,
        1,
    )
attention(
    "FusedInferAttentionScoreV2",
    with_prefix,
    ("query", "key", "value", "keySharedPrefixOptional", "valueSharedPrefixOptional"),
    tensors(*CACHE, (1, 2, 20, 24), (1, 2, 20, 24)),
    HALVES,
    4,
    2,
    actualSharedPrefixLenOptional=[13],
)
attention(
    "FusedInferAttentionScoreV4",
    with_sink,
    ("query", "key", "value", "learnableSinkOptional"),
    tensors(*CACHE, (4,)),
    HALVES,
    4,
    2,
)


# --- training ---


def trained(q, k, v, scaleValue, dropMaskOptional, keepProb, sparseMode, prefixOptional, **_):
    queries, keys = q.shape[2], k.shape[2]
    hidden = kept = None
    if sparseMode:
        at, key = torch.arange(queries).view(-1, 1), torch.arange(keys).view(1, -1)
        seen = key <= at + keys - queries
        if prefixOptional:
            seen = seen | (key < torch.tensor(prefixOptional).view(-1, 1, 1, 1))
        hidden = ~seen
    if dropMaskOptional is not None:
        bits = dropMaskOptional.view(-1, 1).int() >> torch.arange(8) & 1
        kept = bits.view(-1)[: q.shape[0] * q.shape[1] * queries * keys].view(*q.shape[:2], queries, keys) / keepProb
    out, top, total = attend(q, k, v, scaleValue, hidden=hidden, kept=kept)
    return top, total, out


BATCHES = tensors((2, 4, 9, 24), (2, 2, 20, 24), (2, 2, 20, 24))
DROPS = torch.randint(0, 256, (192,), generator=GENERATOR).to(torch.uint8)
for version in ("", "V2"):
    for given in (
        {"dropMaskOptional": None},
        {"dropMaskOptional": DROPS, "keepProb": 0.5},
        {"dropMaskOptional": None, "sparseMode": 3},
        {"dropMaskOptional": None, "sparseMode": 6, "prefixOptional": [15, 3]},
    ):
        attention(
            "FlashAttentionScore" + version,
            trained,
            ("query", "key", "value"),
            BATCHES,
            (torch.float32,),
            4,
            2,
            **given,
        )


def packed(q, k, v, scaleValue, actualSeqQLenOptional, actualSeqKvLenOptional, **_):
    results = []
    for i in range(len(actualSeqQLenOptional)):
        queries, keys = (
            slice(ends[i - 1] if i else 0, ends[i]) for ends in (actualSeqQLenOptional, actualSeqKvLenOptional)
        )
        one = [part.transpose(0, 1).unsqueeze(0) for part in (q[queries], k[keys], v[keys])]
        out, top, total = attend(*one, scaleValue)
        results.append([part[0].transpose(0, 1) for part in (top, total, out)])
    return [torch.cat(parts) for parts in zip(*results)]


def packed_with_ropes(q, query_rope, k, key_rope, v, **given):
    return packed(torch.cat([q, query_rope], -1), torch.cat([k, key_rope], -1), v, **given)


ENDS = {"actualSeqQLenOptional": [5, 14], "actualSeqKvLenOptional": [21, 30]}
TOKENS = ((14, 4, 24), (30, 2, 24), (30, 2, 24))
for version in ("", "V2", "V4"):
    attention(
        "FlashAttentionVarLenScore" + version,
        packed,
        ("query", "key", "value"),
        tensors(*TOKENS),
        (torch.float32,),
        4,
        2,
        layout="TND",
        softmaxOutLayout="same_as_input",
        **ENDS,
    )
attention(
    "FlashAttentionVarLenScoreV3",
    packed_with_ropes,
    ("query", "queryRope", "key", "keyRope", "value"),
    tensors(TOKENS[0], (14, 4, 8), TOKENS[1], (30, 2, 8), TOKENS[2]),
    (torch.float32,),
    4,
    2,
    layout="TND",
    **ENDS,
)

if __name__ == "__main__":
    main()
