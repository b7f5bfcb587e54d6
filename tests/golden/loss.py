"""Losses and their gradients, softmax with masks."""

import torch
import torch.nn.functional as F

from golden import FLOATS, REALS, main, op, values

REDUCTIONS = ("none", "mean", "sum")
SHAPES = [(7, 11, 5), (1009,), ()]
ALL = (-2.0, 2.0)
PROBABILITY = (0.02, 0.98)


def named(loss):
    """A loss of torch with the attributes of an operator."""

    def meaning(self, target, reduction, beta=None, **_):
        more = {} if beta is None else {"beta": beta}
        self, target = torch.broadcast_tensors(self, target)
        return loss(self, target, reduction=REDUCTIONS[reduction], **more)

    return meaning


def gradient(loss, of=0):
    """What torch says of the gradient of an input of a loss."""

    def meaning(grad, *inputs, **attributes):
        with torch.enable_grad():
            given = [one.detach().clone().requires_grad_(i == of) for i, one in enumerate(inputs)]
            result = loss(*given, **attributes)
            result.backward(grad.expand_as(result))
        return given[of].grad

    return meaning


def of_shapes(count, domain, scalar_gradient=False):
    """Inputs of one shape; perhaps a gradient before them, of one element."""

    def make(generator, dtype):
        for shape in SHAPES:
            inputs = [values(shape, dtype, domain, generator) for _ in range(count)]
            first = [values((), dtype, ALL, generator)] if scalar_gradient else []
            yield first + inputs

    return make


def kl(self, target, reduction, logTarget):
    pointwise = target.exp() * (target - self) if logTarget else torch.xlogy(target, target) - target * self
    return (pointwise, pointwise.mean(), pointwise.sum())[reduction]


TORCH = {
    "L1Loss": (named(F.l1_loss), ALL, {}),
    "MseLoss": (named(F.mse_loss), ALL, {}),
    "SmoothL1Loss": (named(F.smooth_l1_loss), ALL, {"beta": 0.75}),
    "SoftMarginLoss": (named(F.soft_margin_loss), ALL, {}),
}
for name, (loss, domain, more) in TORCH.items():
    for reduction in range(3):
        # The views of losses that are reduced are those of their elements.
        op(
            name,
            loss,
            dtypes=FLOATS,
            shapes=SHAPES,
            domain=domain,
            broadcasts=reduction == 0,
            result="same",
            reduction=reduction,
            **more,
        )
        op(
            name + "Backward",
            gradient(loss),
            dtypes=FLOATS,
            inputs=of_shapes(2, domain, True) if reduction else of_shapes(3, domain),
            result="same",
            reduction=reduction,
            **more,
        )
for reduction in range(3):
    op("MseLossOut", named(F.mse_loss), dtypes=FLOATS, shapes=SHAPES, domain=ALL, result="same", reduction=reduction)
    for log, domain in ((False, PROBABILITY), (True, ALL)):
        more = {"reduction": reduction, "logTarget": log}
        op("KlDiv", kl, dtypes=FLOATS, shapes=SHAPES, domain=domain, result="same", **more)
        inputs = of_shapes(2, domain, True) if reduction else of_shapes(3, domain)
        op("KlDivBackward", gradient(kl), dtypes=FLOATS, inputs=inputs, result="same", **more)
        op("KlDivTargetBackward", gradient(kl, 1), dtypes=FLOATS, inputs=inputs, result="same", **more)


# --- cross entropy of probabilities ---


def entropy(self, target, weight=None, reduction=0, **_):
    return F.binary_cross_entropy(self, target, weight=weight, reduction=REDUCTIONS[reduction])


def of_logits(self, target, weight=None, posWeight=None, reduction=0, **_):
    return F.binary_cross_entropy_with_logits(
        self, target, weight=weight, pos_weight=posWeight, reduction=REDUCTIONS[reduction]
    )


NONE = {"weightOptional": None, "posWeightOptional": None}
for reduction in range(3):
    scalar = reduction > 0
    op(
        "BinaryCrossEntropy",
        entropy,
        dtypes=FLOATS,
        inputs=of_shapes(3, PROBABILITY),
        result="same",
        reduction=reduction,
    )
    op(
        "BinaryCrossEntropyBackward",
        gradient(entropy),
        dtypes=FLOATS,
        inputs=of_shapes(3, PROBABILITY, True) if scalar else of_shapes(4, PROBABILITY),
        result="same",
        reduction=reduction,
    )
    for weights, missing in ((2, {}), (0, NONE)):
        more = {"reduction": reduction, **missing}
        op(
            "BinaryCrossEntropyWithLogits",
            of_logits,
            dtypes=FLOATS,
            inputs=of_shapes(2 + weights, ALL),
            result="same",
            **more,
        )
        for name, of in (("", 0), ("Target", 1)):
            op(
                f"BinaryCrossEntropyWithLogits{name}Backward",
                gradient(of_logits, of),
                dtypes=FLOATS,
                inputs=of_shapes(2 + weights, ALL, True) if scalar else of_shapes(3 + weights, ALL),
                result="same",
                **more,
            )


# --- classes ---


def with_classes(shapes, weighted=True, ignored=-100, before=None):
    """Logarithms, targets, weights; `before` makes what comes first."""

    def make(generator, dtype):
        for shape in shapes:
            classes = shape[1]
            target = torch.randint(0, classes, shape[:1] + shape[2:], generator=generator)
            if ignored >= 0 or before is None:
                target.view(-1)[::5] = ignored
            inputs = [values(shape, dtype, ALL, generator), target]
            if weighted:
                inputs.append(values((classes,), dtype, PROBABILITY, generator))
            yield inputs

    return make


def nll(self, target, weight, reduction, ignoreIndex):
    counted = weight[target.clamp(min=0)] * (target != ignoreIndex)
    loss = F.nll_loss(self, target, weight, reduction=REDUCTIONS[reduction], ignore_index=ignoreIndex)
    return loss, counted.sum() if reduction else torch.zeros((), dtype=self.dtype)


def nll_gradient(gradOutput, self, target, weight, reduction, ignoreIndex, totalWeight=None):
    return gradient(lambda x: nll(x, target, weight, reduction, ignoreIndex)[0])(gradOutput, self)


def nll_gradient_inputs(shapes, reduction, ignored):
    def make(generator, dtype):
        for self, target, weight in with_classes(shapes, True, ignored)(generator, dtype):
            total = (weight.double()[target.clamp(min=0)] * (target != ignored)).sum().to(dtype)
            yield [values(() if reduction else target.shape, dtype, ALL, generator), self, target, weight, total]

    return make


MATRICES = [(37, 11), (1009, 3), (5, 257)]
IMAGES = [(3, 5, 7, 11), (2, 3, 17, 4)]
for reduction in range(3):
    for ignored in (-100, 2):
        more = {"reduction": reduction, "ignoreIndex": ignored}
        op("NLLLoss", nll, dtypes=FLOATS, inputs=with_classes(MATRICES, True, ignored), result="same", **more)
        op("NLLLoss2d", nll, dtypes=FLOATS, inputs=with_classes(IMAGES, True, ignored), result="same", **more)
        # The sum of weights is rounded to 16 bits before it divides.
        op(
            "NLLLossBackward",
            lambda g, self, target, weight, total, **a: nll_gradient(g, self, target, weight, **a),
            dtypes=FLOATS,
            inputs=nll_gradient_inputs(MATRICES, reduction, ignored),
            result="same",
            **more,
        )


def cross_entropy(input, target, weight=None, reduction="mean", ignored=-100, smoothing=0.0):
    return F.cross_entropy(
        input, target, weight, reduction=reduction, ignore_index=ignored, label_smoothing=smoothing
    ), F.log_softmax(input, 1)


for reduction in REDUCTIONS:
    for smoothing, ignored in ((0.0, -100), (0.125, 2)):
        more = {
            "reductionOptional": reduction,
            "ignoreIndex": ignored,
            "labelSmoothing": smoothing,
            "lseSquareScaleForZloss": 0.0,
        }

        def loss(input, target, weight=None, reduction=reduction, ignored=ignored, smoothing=smoothing, **_):
            return cross_entropy(input, target, weight, reduction, ignored, smoothing)

        def loss_gradient(grad, log_prob, target, weight, loss=loss, **_):
            # log_softmax of its own result is that result.
            return gradient(lambda x: loss(x, target, weight)[0])(grad, log_prob)

        def gradient_inputs(generator, dtype, ignored=ignored, reduction=reduction):
            for input, target, weight in with_classes(MATRICES, True, ignored)(generator, dtype):
                shape = target.shape if reduction == "none" else ()
                log_prob = F.log_softmax(input.double(), 1).to(dtype)
                yield [values(shape, dtype, ALL, generator), log_prob, target, weight]

        outputs = {"returnZloss": False, "zlossOut": None, "lseForZlossOut": None}
        op(
            "CrossEntropyLoss",
            loss,
            dtypes=FLOATS,
            inputs=with_classes(MATRICES, True, ignored),
            result="same",
            **more,
            **outputs,
        )
        op(
            "CrossEntropyLoss",
            loss,
            dtypes=FLOATS,
            inputs=with_classes(MATRICES, False, ignored),
            result="same",
            weightOptional=None,
            **more,
            **outputs,
        )
        op(
            "CrossEntropyLossGrad",
            loss_gradient,
            dtypes=(torch.float32,),
            inputs=gradient_inputs,
            result="same",
            gradZlossOptional=None,
            lseForZlossOptional=None,
            **more,
        )

for dtype in FLOATS:
    labels = F.softmax(torch.linspace(-3, 3, 37 * 11).reshape(37, 11), 1).to(dtype)
    op(
        "SoftmaxCrossEntropyWithLogits",
        lambda features, labels: (
            -(labels.to(features.dtype) * F.log_softmax(features, 1)).sum(1),
            F.softmax(features, 1) - labels.to(features.dtype),
        ),
        dtypes=(dtype,),
        shapes=[(37, 11)],
        inputs=lambda generator, dtype: [[values((37, 11), dtype, ALL, generator)]],
        result="same",
        labels=labels,
    )


# --- logit ---

for eps in (-1.0, 0.125):
    op(
        "Logit",
        lambda x, eps: torch.logit(x, None if eps < 0 else eps),
        dtypes=FLOATS,
        shapes=SHAPES,
        domain=PROBABILITY,
        eps=eps,
    )
    op(
        "LogitGrad",
        lambda x, dy, eps: gradient(lambda given: torch.logit(given, None if eps < 0 else eps))(dy, x),
        dtypes=FLOATS,
        inputs=of_shapes(2, PROBABILITY),
        result="same",
        eps=eps,
    )


# --- softmax with masks ---


def masked(x, mask, scale, **_):
    return F.softmax((x * scale).masked_fill(mask, -10000.0), -1)


SCORES = [(2, 3, 7, 33), (2, 1, 5, 1009), (3, 2, 4, 64)]


def scores(gradient_too):
    def make(generator, dtype):
        for shape in SCORES:
            mask = torch.randint(0, 2, (shape[0], 1) + shape[2:], generator=generator).bool()
            x = values(shape, dtype, ALL, generator)
            if gradient_too:
                yield [values(shape, dtype, ALL, generator), F.softmax(x.double(), -1).to(dtype), mask]
            else:
                yield [x, mask]

    return make


def masked_gradient(grad, y, mask, scale, **_):
    return (scale * y * (grad - (grad * y).sum(-1, keepdim=True))).masked_fill(mask, 0.0)


op("ScaledMaskedSoftmax", masked, dtypes=FLOATS, inputs=scores(False), result="same", scale=0.5, fixedTriuMask=False)
op(
    "ScaledMaskedSoftmaxBackward",
    masked_gradient,
    dtypes=FLOATS,
    inputs=scores(True),
    result="same",
    scale=0.5,
    fixTriuMask=False,
)


def windows(generator, dtype):
    for b, w, n, s, t in ((2, 4, 3, 7, 16), (1, 2, 5, 4, 131)):
        mask = torch.where(torch.rand((w, s, t), generator=generator) < 0.3, -100.0, 0.0).to(dtype)
        yield [values((b, w, n, s, t), dtype, ALL, generator), mask, values((n, s, t), dtype, ALL, generator)]


op(
    "MaskedSoftmaxWithRelPosBias",
    lambda x, mask, bias, scaleValue, **_: F.softmax(x * scaleValue + mask[None, :, None] + bias, -1),
    dtypes=FLOATS,
    inputs=windows,
    result="same",
    scaleValue=0.5,
    innerPrecisionMode=0,
)


# --- connectionist temporal classification ---


def ctc_inputs(lengths, gradient_too, zero):
    def make(generator, dtype):
        log_probs = F.log_softmax(values((29, 4, 7), torch.float64, ALL, generator), 2).to(dtype)
        targets = torch.randint(1, 7, (4, max(lengths)), generator=generator)
        if not gradient_too:
            yield [log_probs, targets]
            return
        loss, alpha = ctc(log_probs.double(), targets, CTC_STEPS, lengths, 0, zero)
        grad = values((4,), dtype, ALL, generator)
        yield [grad, log_probs, targets, loss.to(dtype), alpha.to(dtype)]

    return make


CTC_STEPS = [29, 20, 29, 7]


def ctc(log_probs, targets, inputLengths, targetlengths, blank, zeroInfinity):
    loss, alpha = torch._ctc_loss(log_probs, targets, inputLengths, targetlengths, blank, zeroInfinity)
    for sample, (steps, count) in enumerate(zip(inputLengths, targetlengths)):  # torch leaves what it does not use
        alpha[sample, steps:] = float("-inf")
        alpha[sample, :, 2 * count + 1 :] = float("-inf")
    return loss.nan_to_num(posinf=0.0) if zeroInfinity else loss, alpha


def ctc_gradient(grad, log_probs, targets, loss, alpha, inputLengths, targetLengths, blank, zeroInfinity):
    raw, states = torch._ctc_loss(log_probs, targets, inputLengths, targetLengths, blank, zeroInfinity)
    return torch.ops.aten._ctc_loss_backward(
        grad, log_probs, targets, inputLengths, targetLengths, raw, states, blank, zeroInfinity
    )


for lengths, zero in (([11, 5, 1, 0], False), ([11, 5, 1, 9], True)):
    more = {"inputLengths": CTC_STEPS, "blank": 0, "zeroInfinity": zero}
    op(
        "CtcLoss",
        ctc,
        dtypes=REALS,
        inputs=ctc_inputs(lengths, False, zero),
        result="same",
        targetlengths=lengths,
        **more,
    )
    # The gradient is a difference, which has the errors of its terms.
    for dtypes, tolerance in (((torch.float32, torch.float64), 2.0**-10), (FLOATS[1:], 2.0**-5)):
        op(
            "CtcLossBackward",
            ctc_gradient,
            dtypes=dtypes,
            inputs=ctc_inputs(lengths, True, zero),
            result="same",
            tolerance=tolerance,
            targetLengths=lengths,
            **more,
        )

if __name__ == "__main__":
    main()
