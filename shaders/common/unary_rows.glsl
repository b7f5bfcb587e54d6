// apply() of common/pointwise.glsl for ops/elementwise/unary.def. A shader defines UNARY_TOPIC_<topic> and contains the rows of that
// topic only, so that a driver compiles few functions at once. Rows of other topics are counted, because a row's number is its position
// in the whole table.

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
