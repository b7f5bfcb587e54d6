// The frame of a table of pointwise operators; ops/elementwise/pointwise.cpp is its other half. A shader defines INPUTS (2 or 3),
// includes this, and defines apply(): x, y and w are the inputs, of which one may be a scalar, a, b and c are the attributes.
// Without a third input w is 0. The shader's specialization constant kOperator is the row of the table.

#define OPERANDS (INPUTS + 1)
#define FAMILY_WORDS 8
#define FAMILY_ARGUMENTS uint attributes[4]; uint scalar[4];
#include "common/strided.glsl"

layout(constant_id = FIRST_CONSTANT + 1) const uint kOperator = 0;

T apply(T x, T y, T w, T a, T b, T c);

// A row of the table, inside of apply(), which counts rows in next_row and returns z. Returning early would cost the driver's
// compiler a level of control flow.
#define ROW(forms, name, rule, value) \
  if (kOperator == next_row++) z = value;

// One attribute takes four words (a complex128 fills them); two share them. The third has the place of the scalar input.
uvec4 attribute_words() {
  return uvec4(ACLVK_ARGUMENT(attributes[0]), ACLVK_ARGUMENT(attributes[1]), ACLVK_ARGUMENT(attributes[2]),
               ACLVK_ARGUMENT(attributes[3]));
}
uvec4 scalar_words() {
  return uvec4(ACLVK_ARGUMENT(scalar[0]), ACLVK_ARGUMENT(scalar[1]), ACLVK_ARGUMENT(scalar[2]), ACLVK_ARGUMENT(scalar[3]));
}

#define LOAD_INPUT(k, values)                                            \
  if (mode_of(k) == kArgument) {                                         \
    [[unroll]] for (uint i = 0; i < kLanes; ++i) values[i] = scalar;     \
  } else {                                                               \
    LOAD(k, values);                                                     \
  }

#if INPUTS == 2
#define STORE_OUTPUT(values) STORE(2, values)
#define kDtypeOut kDtype2
#else
#define STORE_OUTPUT(values) STORE(3, values)
#define kDtypeOut kDtype3
#endif

void main() {
  const uvec4 words = attribute_words();
  const T scalar = value_of(scalar_words());
  const T first = value_of(words);
  const T second = value_of(words.zwzw);
  if (!find_lanes()) return;
  T x[LANES];
  T y[LANES];
  LOAD_INPUT(0, x)
  LOAD_INPUT(1, y)
#if INPUTS == 3
  T w[LANES];
  LOAD_INPUT(2, w)
#endif
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
#if INPUTS == 3
    const T z = apply(x[i], y[i], w[i], first, second, scalar);
#else
    const T z = apply(x[i], y[i], T(0), first, second, scalar);
#endif
    x[i] = kDtypeOut == kPromoted ? z : narrow(z);  // encoding rounds to its own dtype
  }
  STORE_OUTPUT(x);
}
