// z = operator(x, y, w): the frame of the kernels of the operator tables in ops/elementwise and ops/loss. A shader defines INPUTS (1 to
// 4), includes this, and defines apply(): x, y and w are the inputs (some may be one scalar), a, b and c are the attributes. Missing
// inputs are 0. With four inputs apply() takes the fourth, v, after w. The specialization constant kOperator selects the row of the
// table. A shader defines LONG_ROWS when its rows take the driver long to compile: lanes are then a loop instead of eight copies.

#include "common/pointwise.args.h"
#define OPERANDS (INPUTS + 1)
#define OWN_ARGUMENTS POINTWISE_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(POINTWISE_CONSTANTS)

#if INPUTS > 3
T apply(T x, T y, T w, T v, T a, T b, T c);
#else
T apply(T x, T y, T w, T a, T b, T c);
#endif

// A row of the table, inside of apply(), which counts rows in next_row and returns z. An early return would add a level of control flow.
#define ROW(forms, name, rule, value) \
  if (kOperator == next_row++) z = value;

// The first attribute has up to four words (a complex128); with a second one each has two. The third is passed as the scalar input.
uvec4 attribute_words() {
  return uvec4(ACLVK_ARGUMENT(attributes[0]), ACLVK_ARGUMENT(attributes[1]), ACLVK_ARGUMENT(attributes[2]),
               ACLVK_ARGUMENT(attributes[3]));
}
uvec4 scalar_words() {
  return uvec4(ACLVK_ARGUMENT(scalar[0]), ACLVK_ARGUMENT(scalar[1]), ACLVK_ARGUMENT(scalar[2]), ACLVK_ARGUMENT(scalar[3]));
}

#define LOAD_INPUT(k, values)                                            \
  if (mode_of(k) == kNotLoaded) {                                        \
    [[unroll]] for (uint i = 0; i < kLanes; ++i) values[i] = scalar;     \
  } else {                                                               \
    LOAD(k, values);                                                     \
  }

#ifdef LONG_ROWS
#define EACH_LANE [[dont_unroll]]
#else
#define EACH_LANE [[unroll]]
#endif

#if INPUTS == 1
#define STORE_OUTPUT(values) STORE(1, values)
#define kDtypeOut kDtype1
#elif INPUTS == 2
#define STORE_OUTPUT(values) STORE(2, values)
#define kDtypeOut kDtype2
#elif INPUTS == 3
#define STORE_OUTPUT(values) STORE(3, values)
#define kDtypeOut kDtype3
#else
#define STORE_OUTPUT(values) STORE(4, values)
#define kDtypeOut kDtype4
#endif

void main() {
  const uvec4 words = attribute_words();
  const T scalar = value_of(scalar_words());
  const T first = value_of(words);
  const T second = value_of(words.zwzw);
  if (!find_lanes()) return;
  T x[LANES];
  LOAD_INPUT(0, x)
#if INPUTS > 1
  T y[LANES];
  LOAD_INPUT(1, y)
#endif
#if INPUTS > 2
  T w[LANES];
  LOAD_INPUT(2, w)
#endif
#if INPUTS > 3
  T v[LANES];
  LOAD_INPUT(3, v)
#endif
  EACH_LANE for (uint i = 0; i < kLanes; ++i) {
#if INPUTS == 1
    const T z = apply(x[i], T(0), T(0), first, second, scalar);
#elif INPUTS == 2
    const T z = apply(x[i], y[i], T(0), first, second, scalar);
#elif INPUTS == 3
    const T z = apply(x[i], y[i], w[i], first, second, scalar);
#else
    const T z = apply(x[i], y[i], w[i], v[i], first, second, scalar);
#endif
    x[i] = kDtypeOut == kPromoted ? z : narrow(z);  // encoding rounds to its own dtype
  }
  STORE_OUTPUT(x);
}
