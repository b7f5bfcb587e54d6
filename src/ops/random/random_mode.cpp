#include "ops/random/random_mode.hpp"

#include <atomic>

#include "base/error.hpp"

namespace aclvk::ops {
namespace {

std::atomic<std::int32_t> current{1};

}  // namespace

void set_random_mode(std::int32_t mode) {
  check(mode == 0 || mode == 1, Code::kNnInvalid, "pytorchRandom is {}; 0 or 1 is expected.", mode);
  current = mode;
}

std::int32_t random_mode() noexcept { return current; }

}  // namespace aclvk::ops
