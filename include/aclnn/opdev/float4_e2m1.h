/* Numbers of four bits (a sign, two bits of exponent, one of fraction) on the host, for data of programs. C++ only. */
#ifndef ACLVK_ACLNN_OPDEV_FLOAT4_E2M1_H
#define ACLVK_ACLNN_OPDEV_FLOAT4_E2M1_H

#ifdef __cplusplus

#include <cstdint>

namespace op {

/** 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives, in the lower half of a byte. It rounds to the nearest (ties to even) and
    saturates; what is no number becomes 0. */
struct float4_e2m1 {
    uint8_t val;

    constexpr float4_e2m1() : val(0) {}
    float4_e2m1(float value) : val(from_float(value)) {}
    static constexpr float4_e2m1 from_bits(uint8_t bits) { return float4_e2m1(Bits{bits}); }

    operator float() const
    {
        const float magnitudes[8] = {0.0F, 0.5F, 1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 6.0F};
        const float magnitude = magnitudes[val & 7U];
        return (val & 8U) != 0 ? -magnitude : magnitude;
    }

private:
    struct Bits {
        uint8_t bits;
    };
    constexpr explicit float4_e2m1(Bits bits) : val(static_cast<uint8_t>(bits.bits & 15U)) {}

    static uint8_t from_float(float value)
    {
        if (value != value) {
            return 0;
        }
        const float magnitude = value < 0 ? -value : value;
        /* Halfway between two numbers the one with an even code wins. */
        const float limits[7] = {0.25F, 0.75F, 1.25F, 1.75F, 2.5F, 3.5F, 5.0F};
        uint8_t code = 0;
        while (code < 7 && (magnitude > limits[code] || (magnitude == limits[code] && code % 2 == 1))) {
            ++code;
        }
        return static_cast<uint8_t>(value < 0 && code != 0 ? code | 8U : code);
    }
};

static_assert(sizeof(float4_e2m1) == 1, "a number of four bits is kept in a byte");

}  // namespace op

#endif /* __cplusplus */

#endif /* ACLVK_ACLNN_OPDEV_FLOAT4_E2M1_H */
