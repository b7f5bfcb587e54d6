// The compute classes: the type T in which a kernel computes. A kernel is compiled once per class; the macro VARIANT_<class> says which:
//
//     class   T         computes in
//     f32     float     float, float16, bfloat16
//     f64     double    those of f32 and double, with 64-bit operands or results
//     i32     int       integers up to 32 bits, bool
//     i64     int64_t   integers, with 64-bit operands or results, but no double
//     i64f    int64_t   integers, with double operands or results
//     c64     vec2      complex32, complex64
//     c128    dvec2     those of c64 and complex128, with 64-bit operands or results
//     bits    uvec4     nothing: copies elements of any dtype
//
// So a device without float64 or int64 refuses only the kernels that need them. kPromoted is the dtype in which the operator
// computes, a result of type promotion: operands are rounded to it when they are loaded, results before they are stored.
//
//     T decode(uvec4 raw, uint dtype)      an element's bits as T, rounded to kPromoted
//     uvec4 encode(T value, uint dtype)    T as an element's bits
//     T narrow(T value)                    rounds or wraps to kPromoted
//     T value_of(uvec4 bits)               a T from the argument block
//
// A shader that defines FLOAT8 before it includes this also decodes and encodes 8-bit floats, as reals. Other shaders do not pay for
// their code.

#include "common/dtype.glsl"
#ifdef FLOAT8
#include "common/float8.glsl"
bool is_real(uint dtype) { return is_floating(dtype) || is_float8(dtype); }
#else
#define is_real(dtype) is_floating(dtype)
#endif

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
#include "common/rounding64.glsl"
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

// Conversions are single expressions: each early return would add a level of control flow at every call. Specialization folds the
// branches that are not selected.

// --- bits of integers ---

// The upper word is computed explicitly instead of converting int to int64_t: lavapipe of Mesa 22.3 compares converted values with
// constants wrongly.
I bits_to_integer(uvec4 raw, uint dtype) {
  const int narrow_bits = dtype == kInt8    ? bitfieldExtract(int(raw.x), 0, 8)
                          : dtype == kInt16 ? bitfieldExtract(int(raw.x), 0, 16)
                          : dtype == kBool  ? int(raw.x != 0u)
                                            : int(raw.x);
#if WIDE_INTEGERS
  const bool wide = dtype == kInt64 || dtype == kUint64;
  const uint upper = wide ? raw.y : dtype == kUint32 ? 0u : uint(narrow_bits >> 31);
  return I(packUint2x32(uvec2(narrow_bits, upper)));
#else
  return narrow_bits;
#endif
}

// Wraps the value to the dtype, and returns the bits.
uvec4 integer_to_bits(I value, uint dtype) {
#if WIDE_INTEGERS
  const uvec2 bits = unpackUint2x32(U(value));
#else
  const uvec2 bits = uvec2(uint(value), 0u);
#endif
  const uint mask = dtype == kInt8 || dtype == kUint8 ? 0xFFu : dtype == kInt16 || dtype == kUint16 ? 0xFFFFu : ~0u;
  return uvec4(dtype == kBool ? uint(value != I(0)) : bits.x & mask, bits.y, 0u, 0u);
}

I wrap_integer(I value, uint dtype) { return bits_to_integer(integer_to_bits(value, dtype), dtype); }

// Unsigned integers as wide as I need the unsigned conversion. Converts to float directly when the value will be rounded to float:
// double in between would round twice.
R integer_to_real(I value, uint source, uint target) {
#if WIDE_INTEGERS
  const bool is_unsigned = source == kUint64;
#else
  const bool is_unsigned = source == kUint32;
#endif
#if WIDE_INTEGERS && WIDE_FLOATS
  const bool to_double = target == kDouble || target == kComplex128;
  const R narrow_value = R(is_unsigned ? float(U(value)) : float(value));
  return to_double ? (is_unsigned ? R(U(value)) : R(value)) : narrow_value;
#else
  return is_unsigned ? R(U(value)) : R(value);
#endif
}

// --- bits of reals ---

R round_real(R value, uint dtype) {
  const bool half_digits = dtype == kFloat16 || dtype == kComplex32;
  const R wide = dtype == kFloat || dtype == kComplex64 ? R(float(value)) : value;
  return half_digits           ? R(half_to_float(float_to_half(float(value))))
         : dtype == kBfloat16 ? R(bfloat16_to_float(float_to_bfloat16(float(value))))
                               : wide;
}

// `target` is the dtype to which the value will be rounded.
R bits_to_real(uvec4 raw, uint dtype, uint target) {
  const float wider_value = dtype == kFloat     ? uintBitsToFloat(raw.x)
                            : dtype == kFloat16 ? half_to_float(raw.x)
                                                : bfloat16_to_float(raw.x);
#ifdef FLOAT8
  const float narrow_value = is_float8(dtype) ? float8_to_float(raw.x, dtype) : wider_value;
#else
  const float narrow_value = wider_value;
#endif
  const R whole = integer_to_real(bits_to_integer(raw, dtype), dtype, target);
#if WIDE_FLOATS
  const R value = dtype == kDouble ? packDouble2x32(raw.xy) : R(narrow_value);
#else
  const R value = narrow_value;
#endif
  return is_real(dtype) ? value : whole;
}

// Truncates. Values out of range saturate and NaN becomes 0; PyTorch leaves both undefined.
I real_to_integer(R value, uint dtype) {
  const bool is_unsigned = dtype == kUint8 || dtype == kUint16 || dtype == kUint32 || dtype == kUint64;
  const uint bits = dtype == kInt8 || dtype == kUint8 ? 8u : dtype == kInt16 || dtype == kUint16 ? 16u : 32u;
#if WIDE_INTEGERS
  const bool wide = dtype == kInt64 || dtype == kUint64;
  const R span = wide ? R(18446744073709551616.0) : R(U(1) << bits);
  const U ones = wide ? ~U(0) : (U(1) << bits) - U(1);
#else
  const R span = bits == 32u ? R(4294967296.0) : R(1u << bits);
  const U ones = bits == 32u ? ~0u : (1u << bits) - 1u;
#endif
  const R high = is_unsigned ? span : span * R(0.5);
  const R low = is_unsigned ? R(0) : -high;
  const U most = is_unsigned ? ones : ones >> 1;
  const I least = is_unsigned ? I(0) : -I(most) - I(1);
  const bool inside = value > low && value < high;
  const R safe = inside ? value : R(0);
  const I whole = is_unsigned ? I(U(safe)) : I(safe);
  return value >= high ? I(most) : value <= low ? least : whole;
}

uvec4 real_to_bits(R value, uint dtype) {
  const uint wider_bits = dtype == kFloat     ? floatBitsToUint(float(value))
                          : dtype == kFloat16 ? float_to_half(float(value))
                                              : float_to_bfloat16(float(value));
#ifdef FLOAT8
  const uint narrow_bits = is_float8(dtype) ? float_to_float8(float(value), dtype) : wider_bits;
#else
  const uint narrow_bits = wider_bits;
#endif
  const uvec4 whole = integer_to_bits(real_to_integer(value, dtype), dtype);
  const uvec4 other = dtype == kBool ? uvec4(uint(value != R(0)), 0u, 0u, 0u) : whole;
#if WIDE_FLOATS
  const uvec4 floating = dtype == kDouble ? uvec4(unpackDouble2x32(value), 0u, 0u) : uvec4(narrow_bits, 0u, 0u, 0u);
#else
  const uvec4 floating = uvec4(narrow_bits, 0u, 0u, 0u);
#endif
  return is_real(dtype) ? floating : other;
}

// --- bits of complex numbers ---

C bits_to_complex(uvec4 raw, uint dtype, uint target) {
  const C half_parts = C(half_to_float(raw.x & 0xFFFFu), half_to_float(raw.x >> 16));
  const C parts = dtype == kComplex32 ? half_parts : C(uintBitsToFloat(raw.x), uintBitsToFloat(raw.y));
#if WIDE_FLOATS
  const C value = dtype == kComplex128 ? C(packDouble2x32(raw.xy), packDouble2x32(raw.zw)) : parts;
#else
  const C value = parts;
#endif
  return is_complex(dtype) ? value : C(bits_to_real(raw, dtype, target), R(0));
}

uvec4 complex_to_bits(C value, uint dtype) {
  const uvec4 half_parts = uvec4(float_to_half(float(value.x)) | float_to_half(float(value.y)) << 16, 0u, 0u, 0u);
  const uvec4 parts = uvec4(floatBitsToUint(float(value.x)), floatBitsToUint(float(value.y)), 0u, 0u);
#if WIDE_FLOATS
  const uvec4 both = uvec4(unpackDouble2x32(value.x), unpackDouble2x32(value.y));
#else
  const uvec4 both = parts;
#endif
  const uvec4 whole = dtype == kBool ? uvec4(uint(value != C(0)), 0u, 0u, 0u) : real_to_bits(value.x, dtype);
  return dtype == kComplex32 ? half_parts : dtype == kComplex64 ? parts : dtype == kComplex128 ? both : whole;
}

// --- the class's own type ---

// 8-bit integers have at most 8 significant bits, those of a bfloat16: every real dtype holds them without rounding.
bool fits_every_real(uint dtype) { return dtype == kInt8 || dtype == kUint8 || dtype == kBool; }

#if defined(VARIANT_bits)
#define T uvec4
T narrow(T value) { return value; }
T decode(uvec4 raw, uint dtype) { return raw; }
uvec4 encode(T value, uint dtype) { return value; }
T value_of(uvec4 bits) { return bits; }
#elif INTEGER_CLASS
#define T I
T narrow(T value) { return wrap_integer(value, kPromoted); }
T decode(uvec4 raw, uint dtype) {
  const T value = bits_to_integer(raw, dtype);
  return dtype == kPromoted ? value : narrow(value);
}
uvec4 encode(T value, uint dtype) {
  const bool whole = !is_complex(dtype) && !is_real(dtype);
  const C floating = C(integer_to_real(value, kPromoted, dtype), R(0));
  return whole ? integer_to_bits(value, dtype) : complex_to_bits(floating, dtype);
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
  return dtype == kPromoted || fits_every_real(dtype) ? value : narrow(value);
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
  return dtype == kPromoted || fits_every_real(dtype) ? value : narrow(value);
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
