#include "ops/random/random_mode.hpp"

#include "base/error.hpp"
#include "base/process_state.hpp"

namespace aclvk::ops {
namespace {

using Mode = ProcessValue<std::int32_t, 1, StateId::kRandomMode>;

}  // namespace

void set_random_mode(std::int32_t mode) {
  check(mode == 0 || mode == 1, Code::kNnInvalid, "pytorchRandom is {}; 0 or 1 is expected.", mode);
  Mode::set(mode);
}

std::int32_t random_mode() noexcept { return Mode::get(); }

}  // namespace aclvk::ops
