#include "runtime/context/stream_use.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "runtime/context/current.hpp"
#include "runtime/device/device_attributes.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::uint32_t kKnownFlags = 0x3F;
constexpr std::uint32_t kNotWaitedFor = kStreamPersistent | kStreamCpuSchedule | kStreamDeviceUseOnly;

}  // namespace

StreamPtr create_stream(std::uint32_t priority, std::uint32_t flags) {
  Stream::Options options;
  options.priority = std::min(priority, kLeastPriority);
  options.flags = flags & kKnownFlags;
  const bool device_use_only = (options.flags & kStreamDeviceUseOnly) != 0;
  check(!device_use_only || options.flags == kStreamDeviceUseOnly, Code::kParamInvalid,
        "Stream flags are 0x{:x}; DEVICE_USE_ONLY (0x20) stands alone.", flags);
  return current_context()->create_stream(options);
}

// The comparison of numbers costs a launch no look-up of the handle. The rest finds the error.
void check_own_context(const Stream& stream) {
  if (is_current(stream.context_number)) return;
  const ContextPtr current = current_context();
  const ContextPtr owner = context_of(stream);
  check(owner == current, Code::kStreamContext, "Stream {} belongs to another context ({}) than the current one ({}).",
        stream.id, owner->handle(), current->handle());
}

void synchronize_stream(Stream& stream, Timeout timeout) {
  check_has_context();
  stream.check_executes("synchronize");
  if (waited_for(stream)) stream.synchronize(timeout);
}

bool stream_done(Stream& stream) {
  stream.check_executes("query");
  return !waited_for(stream) || stream.idle();
}

bool waited_for(const Stream& stream) { return (stream.options.flags & kNotWaitedFor) == 0; }

}  // namespace aclvk::runtime
