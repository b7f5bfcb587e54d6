#include "runtime/context/overflow.hpp"

#include "base/error.hpp"

namespace aclvk::runtime {

void refuse_overflow_detection() {
  fail(Code::kFeatureNotSupported,
       "Overflow is detected in saturation mode only; Vulkan devices compute with Inf and NaN, which appear in the "
       "results, and have no overflow flag.");
}

void set_saturation_mode(int mode) {
  constexpr int kSaturation = 0;
  constexpr int kInfNan = 1;
  check(mode == kSaturation || mode == kInfNan, Code::kParamInvalid,
        "mode is {}; 0 (saturation) or 1 (Inf and NaN) is expected.", mode);
  check(mode == kInfNan, Code::kFeatureNotSupported,
        "Saturation mode is not possible: arithmetic of Vulkan devices gives Inf and NaN.");
}

void read_overflow_status(const Stream& stream, std::size_t bytes) {
  constexpr std::size_t kStatusBytes = 64;
  check(bytes == kStatusBytes, Code::kParamInvalid, "outputSize is {}; {} is expected.", bytes, kStatusBytes);
  stream.check_executes("read the overflow status of");
  refuse_overflow_detection();
}

void reset_overflow_status(const Stream& stream) {
  stream.check_executes("reset the overflow status of");
  refuse_overflow_detection();
}

}  // namespace aclvk::runtime
