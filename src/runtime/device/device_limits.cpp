#include "runtime/device/device_limits.hpp"

#include <array>
#include <atomic>

#include "base/error.hpp"
#include "base/process_state.hpp"

namespace aclvk::runtime {
namespace {

using Limits = std::array<std::atomic<std::uint64_t>, 5>;

std::atomic<std::uint64_t>& limit_slot(int limit) {
  Limits& limits = ProcessState<Limits, StateId::kDeviceLimits>::get();
  check(limit >= 0 && limit < static_cast<int>(limits.size()), Code::kInvalidParam, "limit is {}; 0 to {} is expected.",
        limit, limits.size() - 1);
  return limits.at(static_cast<std::size_t>(limit));
}

}  // namespace

void set_device_limit(int limit, std::uint64_t value) {
  std::atomic<std::uint64_t>& slot = limit_slot(limit);
  check(value <= UINT32_MAX, Code::kInvalidParam, "value is {}; a limit has at most 32 bits.", value);
  slot = value;
}

std::uint64_t device_limit(int limit) { return limit_slot(limit); }

}  // namespace aclvk::runtime
