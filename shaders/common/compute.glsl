// The compute classes. A pointwise kernel is compiled once a class; the macro VARIANT_<class> says which:
//
//     class   T         computes in
//     f32     float     float, float16, bfloat16
//     f64     double    the same and double, with 64-bit operands or results
//     i32     int       integers up to 32 bits, bool
//     i64     int64_t   integers, with 64-bit operands or results, but no double
//     i64f    int64_t   integers, with double operands or results
//     c64     vec2      complex32, complex64
//     c128    dvec2     the same and complex128, with 64-bit operands or results
//
// So a device without float64 or int64 refuses only the kernels that need them. kPromoted is the dtype that an operator computes
// in; operands are rounded to it when they are loaded, the result before it is stored.
//
//     T decode(uvec4 raw, uint dtype)      an element's bits as T, rounded to kPromoted
//     uvec4 encode(T value, uint dtype)    T as an element's bits
//     T narrow(T value)                    rounds or wraps to kPromoted
//     T value_of(uvec4 bits)               a T from the argument block

#include "common/dtype.glsl"

#if defined(VARIANT_f64) || defined(VARIANT_i64) || defined(VARIANT_i64f) || defined(VARIANT_c128)
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define WIDE_INTEGERS 1
#else
#define WIDE_INTEGERS 0
#endif
#if defined(VARIANT_f64) || defined(VARIANT_i64f) || defined(VARIANT_c128)
#extension GL_EXT_shader_explicit_arithmetic_types_float64 : require
#define WIDE_FLOATS 1
#define R double
#define C dvec2
#else
#define WIDE_FLOATS 0
#define R float
#define C vec2
#endif
#if defined(VARIANT_i32) || defined(VARIANT_i64) || defined(VARIANT_i64f)
#define INTEGER_CLASS 1
#else
#define INTEGER_CLASS 0
#endif
#if defined(VARIANT_c64) || defined(VARIANT_c128)
#define COMPLEX_CLASS 1
#else
#define COMPLEX_CLASS 0
#endif
#if WIDE_INTEGERS
#define I int64_t
#define U uint64_t
#else
#define I int
#define U uint
#endif

// --- bits of integers ---

I bits_to_integer(uvec4 raw, uint dtype) {
  if (dtype == kBool) return I(raw.x != 0u ? 1 : 0);
  if (dtype == kInt8) return I(bitfieldExtract(int(raw.x), 0, 8));
  if (dtype == kInt16) return I(bitfieldExtract(int(raw.x), 0, 16));
  if (dtype == kUint8 || dtype == kUint16 || dtype == kUint32) return I(raw.x);
#if WIDE_INTEGERS
  if (dtype == kInt64 || dtype == kUint64) return I(packUint2x32(raw.xy));
#endif
  return I(int(raw.x));
}

uvec4 integer_to_bits(I value, uint dtype) {
  if (dtype == kBool) return uvec4(value != I(0) ? 1u : 0u, 0u, 0u, 0u);
#if WIDE_INTEGERS
  return uvec4(unpackUint2x32(U(value)), 0u, 0u);
#else
  return uvec4(uint(value), 0u, 0u, 0u);
#endif
}

I wrap_integer(I value, uint dtype) { return bits_to_integer(integer_to_bits(value, dtype), dtype); }

// A dtype of 32 or 64 bits says whether the sign bit is one.
R integer_to_real(I value, uint source, uint target) {
#if WIDE_INTEGERS
#if WIDE_FLOATS
  // Straight to the target: by way of double, a float would be rounded twice.
  if (target != kDouble && target != kComplex128) return R(source == kUint64 ? float(U(value)) : float(value));
#endif
  return source == kUint64 ? R(U(value)) : R(value);
#else
  return source == kUint32 ? R(U(value)) : R(value);
#endif
}

// --- bits of reals ---

R round_real(R value, uint dtype) {
  if (dtype == kFloat16 || dtype == kComplex32) return R(half_to_float(float_to_half(float(value))));
  if (dtype == kBfloat16) return R(bfloat16_to_float(float_to_bfloat16(float(value))));
#if WIDE_FLOATS
  if (dtype == kFloat || dtype == kComplex64) return R(float(value));
#endif
  return value;
}

// `target` is what the value will be rounded to.
R bits_to_real(uvec4 raw, uint dtype, uint target) {
  if (dtype == kFloat) return R(uintBitsToFloat(raw.x));
  if (dtype == kFloat16) return R(half_to_float(raw.x));
  if (dtype == kBfloat16) return R(bfloat16_to_float(raw.x));
#if WIDE_FLOATS
  if (dtype == kDouble) return packDouble2x32(raw.xy);
#endif
  return integer_to_real(bits_to_integer(raw, dtype), dtype, target);
}

// Towards zero. What the target cannot hold saturates and NaN becomes 0: torch leaves both undefined.
I real_to_integer(R value, uint dtype) {
  R low = R(-2147483648.0);
  R high = R(2147483648.0);
  if (dtype == kInt8) { low = R(-128); high = R(128); }
  if (dtype == kInt16) { low = R(-32768); high = R(32768); }
  if (dtype == kUint8) { low = R(0); high = R(256); }
  if (dtype == kUint16) { low = R(0); high = R(65536); }
  if (dtype == kUint32) { low = R(0); high = R(4294967296.0); }
#if WIDE_INTEGERS
  if (dtype == kInt64) { low = R(-9223372036854775808.0); high = R(9223372036854775808.0); }
  if (dtype == kUint64) { low = R(0); high = R(18446744073709551616.0); }
#endif
  if (isnan(value)) return I(0);
  const R whole = trunc(value);
#if WIDE_INTEGERS
  const I lowest = dtype == kInt64 ? -I(9223372036854775807L) - I(1) : I(low);
  if (dtype == kUint64) {
    if (whole >= high) return I(-1);
    return whole <= low ? I(0) : I(U(whole));
  }
  if (dtype == kInt64 && whole >= high) return I(9223372036854775807L);
  if (whole >= high) return I(high) - I(1);
  return whole <= low ? lowest : I(whole);
#else
  if (dtype == kUint32) {
    if (whole >= high) return I(-1);
    return whole <= low ? I(0) : I(U(whole));
  }
  if (whole >= high) return dtype == kInt32 ? 2147483647 : I(high) - 1;
  return whole <= low ? (dtype == kInt32 ? -2147483647 - 1 : I(low)) : I(whole);
#endif
}

uvec4 real_to_bits(R value, uint dtype) {
  if (dtype == kFloat) return uvec4(floatBitsToUint(float(value)), 0u, 0u, 0u);
  if (dtype == kFloat16) return uvec4(float_to_half(float(value)), 0u, 0u, 0u);
  if (dtype == kBfloat16) return uvec4(float_to_bfloat16(float(value)), 0u, 0u, 0u);
#if WIDE_FLOATS
  if (dtype == kDouble) return uvec4(unpackDouble2x32(value), 0u, 0u);
#endif
  if (dtype == kBool) return uvec4(value != R(0) ? 1u : 0u, 0u, 0u, 0u);
  return integer_to_bits(real_to_integer(value, dtype), dtype);
}

// --- bits of complex numbers ---

C bits_to_complex(uvec4 raw, uint dtype, uint target) {
  if (dtype == kComplex32) return C(half_to_float(raw.x & 0xFFFFu), half_to_float(raw.x >> 16));
  if (dtype == kComplex64) return C(uintBitsToFloat(raw.x), uintBitsToFloat(raw.y));
#if WIDE_FLOATS
  if (dtype == kComplex128) return C(packDouble2x32(raw.xy), packDouble2x32(raw.zw));
#endif
  return C(bits_to_real(raw, dtype, target), R(0));
}

uvec4 complex_to_bits(C value, uint dtype) {
  if (dtype == kComplex32) return uvec4(float_to_half(float(value.x)) | float_to_half(float(value.y)) << 16, 0u, 0u, 0u);
  if (dtype == kComplex64) return uvec4(floatBitsToUint(float(value.x)), floatBitsToUint(float(value.y)), 0u, 0u);
#if WIDE_FLOATS
  if (dtype == kComplex128) return uvec4(unpackDouble2x32(value.x), unpackDouble2x32(value.y));
#endif
  if (dtype == kBool) return uvec4(value != C(0) ? 1u : 0u, 0u, 0u, 0u);
  return real_to_bits(value.x, dtype);
}

// --- the class's own type ---

#if INTEGER_CLASS
#define T I
T narrow(T value) { return wrap_integer(value, kPromoted); }
T decode(uvec4 raw, uint dtype) {
  const T value = bits_to_integer(raw, dtype);
  return dtype == kPromoted ? value : narrow(value);
}
uvec4 encode(T value, uint dtype) {
  if (is_complex(dtype)) return complex_to_bits(C(integer_to_real(value, kPromoted, dtype), R(0)), dtype);
  if (is_floating(dtype)) return real_to_bits(integer_to_real(value, kPromoted, dtype), dtype);
  return integer_to_bits(value, dtype);
}
#if WIDE_INTEGERS
T value_of(uvec4 bits) { return T(packUint2x32(bits.xy)); }
#else
T value_of(uvec4 bits) { return T(bits.x); }
#endif
#elif COMPLEX_CLASS
#define T C
T narrow(T value) { return C(round_real(value.x, kPromoted), round_real(value.y, kPromoted)); }
T decode(uvec4 raw, uint dtype) {
  const T value = bits_to_complex(raw, dtype, kPromoted);
  return dtype == kPromoted ? value : narrow(value);
}
uvec4 encode(T value, uint dtype) { return complex_to_bits(value, dtype); }
#if WIDE_FLOATS
T value_of(uvec4 bits) { return C(packDouble2x32(bits.xy), packDouble2x32(bits.zw)); }
#else
T value_of(uvec4 bits) { return uintBitsToFloat(bits.xy); }
#endif
#else
#define T R
T narrow(T value) { return round_real(value, kPromoted); }
T decode(uvec4 raw, uint dtype) {
  const T value = bits_to_real(raw, dtype, kPromoted);
  return dtype == kPromoted ? value : narrow(value);
}
uvec4 encode(T value, uint dtype) {
  return is_complex(dtype) ? complex_to_bits(C(value, R(0)), dtype) : real_to_bits(value, dtype);
}
#if WIDE_FLOATS
T value_of(uvec4 bits) { return packDouble2x32(bits.xy); }
#else
T value_of(uvec4 bits) { return uintBitsToFloat(bits.x); }
#endif
#endif
