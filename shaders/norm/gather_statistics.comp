#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Joins the statistics of a channel that several devices have; a row has one element a device. Operands: means and
// invstds or, with kSums, sums and sums of squares; element counts; the joint mean, biased variance, and unbiased
// variance.

#include "norm/gather_statistics.args.h"
#define OPERANDS 6
#define OWN_ARGUMENTS GATHER_STATISTICS_ARGUMENTS
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_INPUT(2)
ROW_OUTPUT(3)
ROW_OUTPUT(4)
ROW_OUTPUT(5)

ACLVK_CONSTANTS(GATHER_STATISTICS_CONSTANTS)

T epsilon;
T number;
T mean;
T squares;

void add_means(uint at, const uint n) {
  T x[8];
  T c[8];
  LOAD(0, at, n, x);
  LOAD(2, at, n, c);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      number += c[i];
      mean += kSums != 0 ? x[i] : x[i] * c[i];
    }
  }
}

void add_variances(uint at, const uint n) {
  T x[8];
  T s[8];
  T c[8];
  LOAD(1, at, n, s);
  if (kSums == 0) LOAD(0, at, n, x);
  if (kSums == 0) LOAD(2, at, n, c);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      const T difference = kSums != 0 ? T(0) : x[i] - mean;
      squares += kSums != 0 ? s[i] : c[i] * (T(1) / (s[i] * s[i]) - epsilon + difference * difference);
    }
  }
}

void main() {
  epsilon = ACLVK_ARGUMENT(epsilon);
  if (!find_row()) return;
  number = mean = squares = T(0);
  SWEEP(add_means)
  mean /= number;
  SWEEP(add_variances)
  const T variance = kSums != 0 ? max(squares / number - mean * mean, T(0)) : squares / number;
  STORE_ONE(3, encode(mean, kDtype3));
  STORE_ONE(4, encode(variance, kDtype4));
  STORE_ONE(5, encode(variance * (number / (number - T(1))), kDtype5));
}
