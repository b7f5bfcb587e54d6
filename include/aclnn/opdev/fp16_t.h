/* Half-precision numbers on the host, for data of programs. C++ only. */
#ifndef ACLVK_ACLNN_OPDEV_FP16_T_H
#define ACLVK_ACLNN_OPDEV_FP16_T_H

#ifdef __cplusplus

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace op {

/** A number of IEEE 754's binary16. It is made of numbers, which it rounds to the nearest (ties to even), and becomes a float. */
struct fp16_t {
    uint16_t val;

    constexpr fp16_t() : val(0) {}
    template <typename Value, typename = typename std::enable_if<std::is_arithmetic<Value>::value>::type>
    fp16_t(Value value) : val(from_float(rounded_to_odd(static_cast<double>(value))))
    {
    }
    static constexpr fp16_t from_bits(uint16_t bits) { return fp16_t(Bits{bits}); }

    operator float() const { return to_float(val); }
    float toFloat() const { return to_float(val); }

    fp16_t &operator+=(float other) { return *this = fp16_t(to_float(val) + other); }
    fp16_t &operator-=(float other) { return *this = fp16_t(to_float(val) - other); }
    fp16_t &operator*=(float other) { return *this = fp16_t(to_float(val) * other); }
    fp16_t &operator/=(float other) { return *this = fp16_t(to_float(val) / other); }

private:
    struct Bits {
        uint16_t bits;
    };
    constexpr explicit fp16_t(Bits bits) : val(bits.bits) {}

    /* A float that rounds to the same half as the double: inexact results end in a 1. */
    static float rounded_to_odd(double value)
    {
        float nearest = static_cast<float>(value);
        if (static_cast<double>(nearest) == value || nearest != nearest) {
            return nearest;
        }
        uint32_t bits;
        std::memcpy(&bits, &nearest, sizeof(bits));
        /* Towards zero first. */
        const double magnitude = static_cast<double>(nearest < 0 ? -nearest : nearest);
        if (magnitude > (value < 0 ? -value : value)) {
            --bits;
        }
        bits |= 1U;
        std::memcpy(&nearest, &bits, sizeof(bits));
        return nearest;
    }

    static uint16_t from_float(float value)
    {
        uint32_t bits;
        std::memcpy(&bits, &value, sizeof(bits));
        const uint32_t sign = bits >> 16 & 0x8000U;
        const uint32_t magnitude = bits & 0x7FFFFFFFU;
        if (magnitude > 0x7F800000U) {
            return static_cast<uint16_t>(sign | 0x7E00U);
        }
        if (magnitude >= 0x477FF000U) {
            return static_cast<uint16_t>(sign | 0x7C00U);
        }
        if (magnitude < 0x33000001U) {
            return static_cast<uint16_t>(sign);
        }
        /* Subnormal halves lose more bits of the fraction, which has its leading 1 then. */
        const uint32_t exponent = magnitude >> 23;
        const uint32_t lost = exponent < 113U ? 126U - exponent : 13U;
        const uint32_t digits = exponent < 113U ? (magnitude & 0x7FFFFFU) | 0x800000U : magnitude - 0x38000000U;
        const uint32_t half = 1U << (lost - 1U);
        const uint32_t rest = digits & ((1U << lost) - 1U);
        uint32_t result = digits >> lost;
        if (rest > half || (rest == half && (result & 1U) != 0)) {
            ++result;
        }
        return static_cast<uint16_t>(sign | result);
    }

    static float to_float(uint16_t half)
    {
        const uint32_t sign = static_cast<uint32_t>(half & 0x8000U) << 16;
        uint32_t exponent = half >> 10 & 31U;
        uint32_t fraction = half & 1023U;
        uint32_t bits;
        if (exponent == 31U) {
            bits = sign | 0x7F800000U | fraction << 13;
        } else if (exponent != 0) {
            bits = sign | (exponent + 112U) << 23 | fraction << 13;
        } else if (fraction == 0) {
            bits = sign;
        } else {
            exponent = 113U;
            while ((fraction & 1024U) == 0) {
                fraction <<= 1;
                --exponent;
            }
            bits = sign | exponent << 23 | (fraction & 1023U) << 13;
        }
        float value;
        std::memcpy(&value, &bits, sizeof(value));
        return value;
    }
};

static_assert(sizeof(fp16_t) == 2, "a half has two bytes");

}  // namespace op

#endif /* __cplusplus */

#endif /* ACLVK_ACLNN_OPDEV_FP16_T_H */
