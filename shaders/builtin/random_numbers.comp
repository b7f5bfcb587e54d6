#version 460
#extension GL_GOOGLE_include_directive : require
// Random numbers in memory (aclrtRandomNumAsync). Value i depends on the seed, the counter and i alone. Operands 0 to 4
// are the counter, the seed, the number of values and the two parameters of the distribution, where the task passes their addresses;
// operand 5 is the result. A thread computes one Philox block, or 32 bits of a mask.

#include "builtin/random_numbers.args.h"
#define OPERANDS 6
#define OWN_ARGUMENTS RANDOM_NUMBERS_ARGUMENTS
#include "common/kernel.glsl"
#include "common/dtype.glsl"
#include "common/philox.glsl"
#include "common/words64.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(RANDOM_NUMBERS_CONSTANTS)

// aclrtRandomNumFuncType
const uint kDropoutMask = 0, kUniform = 1, kNormal = 2, kTruncatedNormal = 3;

#define READ(k, name)                                                                                        \
  uvec2 name() {                                                                                             \
    const uint bytes = kSizes >> 4 * k & 15u;                                                                \
    if ((kByAddress >> k & 1u) == 0u) return uvec2(ACLVK_ARGUMENT(host_values[2 * k]), ACLVK_ARGUMENT(host_values[2 * k + 1])); \
    const uvec2 slot = slot_of(k);                                                                           \
    const uint low = word_##k(slot, 0u) >> (base_of(slot) & 3u) * 8u;                                        \
    return bytes == 8u   ? uvec2(low, word_##k(slot, 4u))                                                    \
           : bytes == 4u ? uvec2(low, 0u)                                                                    \
                         : uvec2(low & (1u << bytes * 8u) - 1u, 0u);                                         \
  }
READ(0, read_counter)
READ(1, read_seed)
READ(2, read_number)
READ(3, read_first_parameter)
READ(4, read_second_parameter)

bool wide() { return kDtype == kInt64 || kDtype == kUint64; }
bool is_signed() { return kDtype == kInt32 || kDtype == kInt64; }

// Truncates the mantissa. The highest bit of a NaN's mantissa is set, so that it does not become an infinity.
float double_to_float(uvec2 bits) {
  const int exponent = int(bits.y >> 20 & 0x7FFu) - 1023;
  const uint mantissa = (bits.y & 0xFFFFFu) << 3 | bits.x >> 29;
  const uint sign = bits.y & 0x80000000u;
  const uint normal = sign | uint(exponent + 127) << 23 | mantissa;
  const bool nan = exponent == 1024 && ((bits.y & 0xFFFFFu) | bits.x) != 0u;
  const uint large = sign | (nan ? 0x7FC00000u : 0x7F800000u);
  return uintBitsToFloat(exponent > 127 ? large : exponent < -126 ? sign : normal);
}

float to_real(uvec2 raw, uint bytes) {
  return bytes == 8u   ? double_to_float(raw)
         : bytes == 4u ? uintBitsToFloat(raw.x)
                       : kDtype == kBfloat16 ? bfloat16_to_float(raw.x) : half_to_float(raw.x);
}

uvec2 to_integer(uvec2 raw, uint bytes) {
  if (bytes == 8u || !is_signed()) return raw;
  const int value = bitfieldExtract(int(raw.x), 0, int(bytes * 8u));
  return uvec2(uint(value), value < 0 ? ~0u : 0u);
}

float integer_to_float(uvec2 value) {
  const bool negative = is_signed() && (value.y & 0x80000000u) != 0u;
  const uvec2 magnitude = negative ? sub64(uvec2(0u), value) : value;
  const float size = float(magnitude.y) * 4294967296.0 + float(magnitude.x);
  return negative ? -size : size;
}

// Multiplies and takes the upper word instead of dividing (Lemire 2019). Without rejection the bias is at most range / 2^32, or range /
// 2^64.
uvec2 uniform_integer(uvec2 low, uvec2 high, uvec2 random) {
  if (!(is_signed() ? less64_signed(low, high) : less64(low, high))) return low;
  const uvec2 range = sub64(high, low);
  uint upper, lower;
  umulExtended(random.x, range.x, upper, lower);
  return add64(low, wide() ? multiply_high64(random, range) : uvec2(upper, 0u));
}

// Values out of range saturate; int64 wraps.
uvec2 normal_integer(uvec2 mean, float offset) {
  // 9.2e18 is just below 2^63, and 2.33e-10 is 2^-32.
  const float size = min(round(abs(offset)), 9.2e18);
  const float upper = floor(size * 2.3283064365386963e-10);
  const uvec2 magnitude = uvec2(uint(size - upper * 4294967296.0), uint(upper));
  const bool negative = offset < 0.0;
  if (negative && !is_signed() && less64(mean, magnitude)) return uvec2(0u);
  const uvec2 value = negative ? sub64(mean, magnitude) : add64(mean, magnitude);
  if (wide()) return value;
  if (!is_signed()) return value.y != 0u ? uvec2(~0u, 0u) : value;
  const bool fits = value.y == (int(value.x) < 0 ? ~0u : 0u);
  return fits ? value : (value.y & 0x80000000u) != 0u ? uvec2(0x80000000u, 0u) : uvec2(0x7FFFFFFFu, 0u);
}

vec4 standard_normals(uvec4 random) {
  if (kFunction == kTruncatedNormal) {
    return vec4(truncated_normal(random.x), truncated_normal(random.y), truncated_normal(random.z), truncated_normal(random.w));
  }
  return vec4(normal_pair(random.x, random.y), normal_pair(random.z, random.w));
}

struct Parameters {
  uvec2 first;
  uvec2 second;
  float first_real;
  float second_real;
};

Parameters read_parameters() {
  const uint first_bytes = kSizes >> 12 & 15u;
  const uint second_bytes = kSizes >> 16 & 15u;
  Parameters parameters;
  parameters.first = read_first_parameter();
  parameters.second = read_second_parameter();
  if (is_floating(kDtype)) {
    parameters.first_real = to_real(parameters.first, first_bytes);
    parameters.second_real = to_real(parameters.second, second_bytes);
  } else {
    parameters.first = to_integer(parameters.first, first_bytes);
    parameters.second = to_integer(parameters.second, second_bytes);
    parameters.first_real = integer_to_float(parameters.first);
    parameters.second_real = integer_to_float(parameters.second);
  }
  return parameters;
}

// The values of a block: four, or two with 64 bits.
uvec2 value_of(Parameters parameters, uvec4 random, vec4 normals, uint i) {
  const bool is_uniform = kFunction == kUniform;
  if (!is_floating(kDtype)) {
    const uvec2 words = wide() ? (i == 0u ? random.xy : random.zw) : uvec2(random[i], 0u);
    return is_uniform ? uniform_integer(parameters.first, parameters.second, words)
                      : normal_integer(parameters.first, parameters.second_real * normals[i]);
  }
  const float x = is_uniform ? unit_float(random[i]) * (parameters.second_real - parameters.first_real)
                             : normals[i] * parameters.second_real;
  const float value = parameters.first_real + x;
  const uint bits = kDtype == kFloat     ? floatBitsToUint(value)
                    : kDtype == kFloat16 ? float_to_half(value)
                                         : float_to_bfloat16(value);
  return uvec2(bits, 0u);
}

void write_values(uint thread, uint count, uvec4 random) {
  const uvec2 result = slot_of(5);
  const uint per_block = wide() ? 2u : 4u;
  const bool narrow = kDtype == kFloat16 || kDtype == kBfloat16;
  const Parameters parameters = read_parameters();
  const vec4 normals = kFunction == kUniform ? vec4(0.0) : standard_normals(random);
  uint pair = 0;
  for (uint i = 0; i < per_block; ++i) {  // iterations: two or four
    const uint index = thread * per_block + i;
    if (index >= count) return;
    const uvec2 value = value_of(parameters, random, normals, i);
    if (narrow) {
      if ((i & 1u) == 0u && index + 1u == count) merge_word_5(result, index * 2u, 0xFFFFu, value.x);
      if ((i & 1u) == 1u) set_word_5(result, index * 2u, pair | value.x << 16);
      pair = value.x;
    } else if (wide()) {
      set_word_5(result, index * 8u, value.x);
      set_word_5(result, index * 8u + 4u, value.y);
    } else {
      set_word_5(result, index * 4u, value.x);
    }
  }
}

// Bits are 1 for values that are kept. Unused bits of the last byte become 0; bytes after it are not written.
void write_mask(uint thread, uint count, uvec2 first, uvec2 seed, uvec2 counter) {
  const float ratio = to_real(read_first_parameter(), kSizes >> 12 & 15u);
  const uint dropped = ratio > 0.0 && ratio < 1.0 ? uint(ratio * 4294967296.0) : 0u;
  uint bits = 0;
  for (uint i = 0; i < 8u; ++i) {
    const uvec2 block = add64(first, uvec2(thread * 8u + i, 0u));
    const uvec4 random = philox(uvec4(block, counter), seed);
    for (uint j = 0; j < 4u; ++j) bits |= uint(random[j] >= dropped) << i * 4u + j;
  }
  const uint left = count - thread * 32u;
  bits = ratio >= 1.0 ? 0u : left < 32u ? bits & (1u << left) - 1u : bits;
  const uint bytes = min((left + 7u) / 8u, 4u);
  const uvec2 result = slot_of(5);
  if (bytes == 4u) {
    set_word_5(result, thread * 4u, bits);
  } else {
    merge_word_5(result, thread * 4u, (1u << bytes * 8u) - 1u, bits);
  }
}

void main() {
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint thread = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const uvec2 first = uvec2(ACLVK_ARGUMENT(first[0]), ACLVK_ARGUMENT(first[1]));
  const uint capacity = ACLVK_ARGUMENT(capacity);
  const uvec2 number = read_number();
  if (!less64(first, number)) return;
  const uvec2 rest = sub64(number, first);
  const uint count = rest.y != 0u ? capacity : min(rest.x, capacity);
  const uint per_thread = kFunction == kDropoutMask ? 32u : wide() ? 2u : 4u;
  if (thread * per_thread >= count) return;

  const uvec2 seed = read_seed();
  const uvec2 counter = read_counter();
  // A Philox block makes four values, or two of 64 bits: the first block is the index of the first value, divided by that.
  const uint shift = wide() && kFunction != kDropoutMask ? 1u : 2u;
  const uvec2 block = uvec2(first.x >> shift | first.y << 32u - shift, first.y >> shift);
  if (kFunction == kDropoutMask) {
    write_mask(thread, count, block, seed, counter);
  } else {
    write_values(thread, count, philox(uvec4(add64(block, uvec2(thread, 0u)), counter), seed));
  }
}
