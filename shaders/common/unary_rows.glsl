// The rows of ops/elementwise/unary.def as the function that common/pointwise.glsl declares. A shader defines UNARY_TOPIC_<topic>:
// the rows of that topic count; the others only have numbers.

#ifdef UNARY_TOPIC_ALGEBRAIC
#define ROW_ALGEBRAIC(value) SELECT(value)
#else
#define ROW_ALGEBRAIC(value)
#endif
#ifdef UNARY_TOPIC_STEPWISE
#define ROW_STEPWISE(value) SELECT(value)
#else
#define ROW_STEPWISE(value)
#endif
#ifdef UNARY_TOPIC_EXPONENTIAL
#define ROW_EXPONENTIAL(value) SELECT(value)
#else
#define ROW_EXPONENTIAL(value)
#endif
#ifdef UNARY_TOPIC_HYPERBOLIC
#define ROW_HYPERBOLIC(value) SELECT(value)
#else
#define ROW_HYPERBOLIC(value)
#endif
#ifdef UNARY_TOPIC_ACTIVATION
#define ROW_ACTIVATION(value) SELECT(value)
#else
#define ROW_ACTIVATION(value)
#endif
#ifdef UNARY_TOPIC_TRIGONOMETRIC
#define ROW_TRIGONOMETRIC(value) SELECT(value)
#else
#define ROW_TRIGONOMETRIC(value)
#endif
#ifdef UNARY_TOPIC_INVERSE
#define ROW_INVERSE(value) SELECT(value)
#else
#define ROW_INVERSE(value)
#endif
#ifdef UNARY_TOPIC_SPECIAL
#define ROW_SPECIAL(value) SELECT(value)
#else
#define ROW_SPECIAL(value)
#endif

#define SELECT(value) if (kOperator == row) z = value;

T apply(T x, T y, T w, T a, T b, T c) {
  T z = x;
  uint row = 0;
#define UNARY(topic, forms, name, rule, value) ROW_##topic(value) ++row;
#include "ops/elementwise/unary.def"
#undef UNARY
  return z;
}
