"""Steps of optimizers against torch.optim."""

import torch

from golden import FLOATS, main, op, values

RATE, BETA1, BETA2, DECAY, EPSILON = 0.25, 0.875, 0.96875, 0.125, 2.0**-10


def states(amsgrad, count=1):
    """Members (variable, m, v, highest, gradient); one or lists of them."""

    def make(generator, dtype):
        for shapes in ([(7, 11, 5)], [(1009,)], [(3, 1, 2)]):
            yield [
                values(shapes[0], dtype, (-2.0, 2.0), generator),
                values(shapes[0], dtype, (-1.0, 1.0), generator),
                values(shapes[0], dtype, (0.25, 1.0), generator),
                *([values(shapes[0], dtype, (0.25, 1.0), generator)] if amsgrad else []),
                values(shapes[0], dtype, (-2.0, 2.0), generator),
            ]

    return make


def adamw(x, m, v, *rest, step, amsgrad, maximize, lr, beta1, beta2, weightDecay, eps, **_):
    highest = [rest[0].clone()] if amsgrad else []
    gradient = rest[-1]
    x, m, v = x.clone(), m.clone(), v.clone()
    # torch counts the step itself.
    torch.optim._functional.adamw(
        [x], [gradient], [m], [v], highest, [step.reshape(()).to(torch.float32) - 1], amsgrad=amsgrad, beta1=beta1,
        beta2=beta2, lr=lr, weight_decay=weightDecay, eps=eps, maximize=maximize, foreach=False, capturable=False,
    )
    return (x, m, v, *highest)


for amsgrad in (False, True):
    for maximize in (False, True):
        op(
            "ApplyAdamWV2",
            adamw,
            dtypes=FLOATS,
            inputs=states(amsgrad),
            result="same",
            step=torch.tensor([5]),
            lr=RATE,
            beta1=BETA1,
            beta2=BETA2,
            weightDecay=DECAY,
            eps=EPSILON,
            amsgrad=amsgrad,
            maximize=maximize,
            **({} if amsgrad else {"maxGradNormOptionalRef": None}),
        )


def one(value):
    return torch.tensor([value], dtype=torch.float32)


def adamw_of_tensors(x, m, v, gradient, lr, weightDecay, beta1, beta2, eps, maximize, **_):
    return adamw(
        x, m, v, gradient, step=torch.tensor([5]), amsgrad=False, maximize=maximize, lr=lr.item(), beta1=beta1.item(),
        beta2=beta2.item(), weightDecay=weightDecay.item(), eps=eps.item(),
    )


for maximize in (False, True):
    op(
        "ApplyAdamW",
        adamw_of_tensors,
        dtypes=FLOATS,
        inputs=states(False),
        result="same",
        beta1Power=one(BETA1**5),
        beta2Power=one(BETA2**5),
        lr=one(RATE),
        weightDecay=one(DECAY),
        beta1=one(BETA1),
        beta2=one(BETA2),
        eps=one(EPSILON),
        maxGradNormOptional=None,
        amsgrad=False,
        maximize=maximize,
    )


def lists(generator, dtype):
    """Variables, gradients, momenta."""
    shapes = [(7, 11), (1009,), (3, 1, 2)]
    yield [[values(shape, dtype, (-2.0, 2.0), generator) for shape in shapes] for _ in range(3)]


def sgd(variables, gradients, momenta, weightDecay, momentum, lr, dampening, nesterov, maximize, isFirstStep, **_):
    new = [[], [], []]
    for x, g, buffer in zip(variables, gradients, momenta):
        x, buffers = x.clone(), [None if isFirstStep else buffer.clone()]
        torch.optim._functional.sgd(
            [x], [g], buffers, weight_decay=weightDecay, momentum=momentum, lr=lr, dampening=dampening,
            nesterov=nesterov, maximize=maximize, has_sparse_grad=False, foreach=False,
        )
        for results, one in zip(new, (x, g, buffers[0])):
            results.append(one)
    return [one for results in new for one in results]


for nesterov, dampening, first in ((False, 0.25, False), (True, 0.0, False), (False, 0.25, True)):
    for maximize in (False, True):
        op(
            "FusedSgd",
            sgd,
            dtypes=FLOATS,
            inputs=lists,
            result="same",
            gradScaleOptional=None,
            weightDecay=DECAY,
            momentum=0.875,
            lr=RATE,
            dampening=dampening,
            nesterov=nesterov,
            maximize=maximize,
            isFirstStep=first,
        )

if __name__ == "__main__":
    main()
