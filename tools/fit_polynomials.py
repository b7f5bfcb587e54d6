#!/usr/bin/env python3
"""Writes shaders/common/math/polynomials.glsl: the polynomials of the math functions, for float and for double.

Each one interpolates its function at the Chebyshev nodes of an interval, which is near the best polynomial of its degree.
Needs mpmath; only who changes a polynomial runs it.
"""

import pathlib

from mpmath import (atan, atanh, asin, bernoulli, cos, erf, erfc, euler, exp, log, loggamma, mp, mpf, nstr, pi, sin, sqrt)

OUT = pathlib.Path(__file__).resolve().parent.parent / "shaders/common/math/polynomials.glsl"
WIDTH = 128
mp.dps = 60


def interpolate(function, low, high, degree):
    """Returns the coefficients, lowest first."""
    low, high = mpf(low), mpf(high)
    count = degree + 1
    nodes = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    slopes = [function(node) for node in nodes]
    for order in range(1, count):
        for i in range(degree, order - 1, -1):
            slopes[i] = (slopes[i] - slopes[i - 1]) / (nodes[i] - nodes[i - order])
    result = [slopes[degree]]
    for i in range(degree - 1, -1, -1):
        shifted = [mpf(0)] + result
        for k, value in enumerate(result):
            shifted[k] -= value * nodes[i]
        shifted[0] += slopes[i]
        result = shifted
    return result


def even(function, at_zero):
    """Returns a function of the square of its argument."""
    return lambda u: at_zero if abs(u) < mpf(10) ** -25 else function(sqrt(u), u)


def fits():
    """Yields name, meaning, function, interval, degree for float, degree for double."""
    half_ln2 = log(mpf(2)) / 2 * mpf("1.0001")
    root = sqrt(mpf(2))
    log_end = ((root - 1) / (root + 1)) ** 2 * mpf("1.001")
    quarter = (pi / 4) ** 2 * mpf("1.001")
    atan_end = (root - 1) ** 2 * mpf("1.001")
    yield ("exp", "(e^u - 1 - u) / u^2", lambda u: (exp(u) - 1 - u) / u ** 2 if abs(u) > mpf(10) ** -25 else mpf(1) / 2,
           -half_ln2, half_ln2, 5, 11)
    yield ("log", "2 (atanh(r) / r - 1) / u, u = r^2", even(lambda r, u: 2 * (atanh(r) / r - 1) / u, mpf(2) / 3), 0,
           log_end, 3, 8)
    yield ("sin", "(sin(r) / r - 1) / u, u = r^2", even(lambda r, u: (sin(r) / r - 1) / u, -mpf(1) / 6), 0, quarter, 3, 7)
    yield ("cos", "(cos(r) - 1 + u / 2) / u^2, u = r^2",
           even(lambda r, u: (cos(r) - 1 + u / 2) / u ** 2, mpf(1) / 24), 0, quarter, 2, 6)
    yield ("asin", "(asin(r) / r - 1) / u, u = r^2", even(lambda r, u: (asin(r) / r - 1) / u, mpf(1) / 6), 0, 0.25, 5, 12)
    yield ("atan", "(atan(r) / r - 1) / u, u = r^2", even(lambda r, u: (atan(r) / r - 1) / u, -mpf(1) / 3), 0, atan_end, 4,
           10)
    yield "erf", "erf(r) / r, u = r^2", even(lambda r, u: erf(r) / r, 2 / sqrt(pi)), 0, 1, 6, 12

    def scaled_erfc(u):
        x = 3 * (1 + u) / (1 - u)
        return erfc(x) * exp(x * x) * (1 + 2 * x)
    yield ("erfc", "erfc(x) e^(x^2) (1 + 2x), u = (x - 3) / (x + 3)", scaled_erfc, mpf("-2.5") / mpf("3.5"),
           mpf("24.5") / mpf("30.5"), 9, 20)

    def low_gamma(u):
        return -euler if abs(u) < mpf(10) ** -25 else loggamma(1 + u) / u
    yield "lgamma_low", "log(gamma(x)) / u, u = x - 1", low_gamma, -0.5, 0, 9, 19

    def high_gamma(u):
        x = mpf("1.5") + u + mpf(10) ** -40
        return loggamma(x) / ((x - 1) * (x - 2))
    yield "lgamma_high", "log(gamma(x)) / ((x - 1) (x - 2)), u = x - 3/2", high_gamma, -0.5, 0.5, 9, 20


def series():
    """Yields name, meaning, coefficients for float, for double."""
    stirling = [bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, 9)]
    digamma = [bernoulli(2 * k) / (2 * k) for k in range(1, 9)]
    yield "stirling", "Stirling's series", stirling[:4], stirling
    yield "digamma", "its derivative", digamma[:4], digamma
    giles = "M. Giles, Approximating the erfinv function (GPU Computing Gems, Jade Edition, 2011)"
    middle = [1.50140941, 0.246640727, -0.00417768164, -0.00125372503, 0.00021858087, -4.39150654e-06, -3.5233877e-06,
              3.43273939e-07, 2.81022636e-08]
    tail = [2.83297682, 1.00167406, 0.00943887047, -0.0076224613, 0.00573950773, -0.00367342844, 0.00134934322,
            0.000100950558, -0.000200214257]
    yield "erfinv_middle", giles, [mpf(repr(c)) for c in middle], None
    yield "erfinv_tail", "the same", [mpf(repr(c)) for c in tail], None


def horner(coefficients, digits):
    terms = [f"R({nstr(mpf(c), digits, min_fixed=-3, max_fixed=3)}lf)" for c in coefficients]
    text = terms[-1]
    for term in reversed(terms[:-1]):
        text = f"{'(' + text + ')' if ' + ' in text else text} * u + {term}"
    lines, line = [], "  return"
    for word in text.split(" "):
        if len(line) + 1 + len(word) > WIDTH - 1:
            lines.append(line)
            line = "        "
        line += " " + word
    return "\n".join(lines + [line + ";"])


def function(name, meaning, narrow, wide):
    head = f"// {meaning}\nR {name}_polynomial(R u) {{\n"
    if wide is None:
        return head + horner(narrow, 9) + "\n}\n"
    return f"{head}#if WIDE_FLOATS\n{horner(wide, 18)}\n#else\n{horner(narrow, 10)}\n#endif\n}}\n"


def main():
    parts = ["// Written by tools/fit_polynomials.py; do not edit.\n"]
    for name, meaning, what, low, high, narrow, wide in fits():
        parts.append(function(name, meaning, interpolate(what, low, high, narrow), interpolate(what, low, high, wide)))
    for row in series():
        parts.append(function(*row))
    OUT.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
