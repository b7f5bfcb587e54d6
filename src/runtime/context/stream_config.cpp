#include "runtime/context/stream_config.hpp"

#include <cstring>

#include "base/error.hpp"
#include "runtime/context/context.hpp"
#include "runtime/context/overflow.hpp"
#include "runtime/device/device_attributes.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::runtime {
namespace {

// Copies the value. `may_be_short`: accepts 4 bytes for 8, which existing programs pass (runtime-semantics 4.2).
template <typename T>
void read_value(T& member, const void* value, std::size_t bytes, bool may_be_short) {
  const bool expected = bytes == sizeof(T) || (may_be_short && bytes == sizeof(std::uint32_t));
  check(expected, Code::kInvalidParam, "valueSize is {}; {} is expected.", bytes, sizeof(T));
  member = T{};
  std::memcpy(&member, value, bytes);
}

void check_priority(std::uint64_t priority, Code code) {
  check(priority <= kLeastPriority, code, "The priority is {}; 0..{} is expected.", priority, kLeastPriority);
}

void read_priority(std::uint32_t& priority, const void* value, std::size_t bytes) {
  std::uint32_t given = 0;
  read_value(given, value, bytes, false);
  check_priority(given, Code::kInvalidParam);
  priority = given;
}

// ACL_STOP_ON_FAILURE
constexpr std::uint64_t kStopBit = 1;

}  // namespace

void set_option(StreamConfig& config, ConfigAttribute attribute, const void* value, std::size_t bytes) {
  switch (attribute) {
    case ConfigAttribute::kWorkMemory: return read_value(config.work_memory, value, bytes, false);
    case ConfigAttribute::kWorkBytes: return read_value(config.work_bytes, value, bytes, false);
    case ConfigAttribute::kFlags: return read_value(config.flags, value, bytes, true);
    case ConfigAttribute::kPriority: return read_priority(config.priority, value, bytes);
  }
  fail(Code::kInvalidParam, "attr is {}; 0..3 is expected.", static_cast<int>(attribute));
}

StreamAttribute checked_attribute(int attribute) {
  const auto known = static_cast<StreamAttribute>(attribute);
  check(known >= StreamAttribute::kFailureMode && known <= StreamAttribute::kPriority, Code::kParamInvalid,
        "stmAttrType is {}; 1..5 is expected.", attribute);
  return known;
}

void set_attribute(Stream& stream, StreamAttribute attribute, std::uint64_t value) {
  switch (attribute) {
    case StreamAttribute::kFailureMode: return set_failure_mode(stream, value);
    case StreamAttribute::kOverflowSwitch: return set_overflow_switch(stream, static_cast<std::uint32_t>(value));
    case StreamAttribute::kCustomTag:
      stream.check_executes("set the tag of");
      stream.custom_tag = static_cast<std::uint32_t>(value);
      return;
    case StreamAttribute::kCacheOpInfo: stream.caches_op_info = value != 0; return;
    case StreamAttribute::kPriority:
      check_priority(value, Code::kParamInvalid);
      stream.priority = static_cast<std::uint32_t>(value);
      return;
  }
}

std::uint64_t attribute(const Stream& stream, StreamAttribute attribute) {
  switch (attribute) {
    case StreamAttribute::kFailureMode: {
      const ContextPtr context = context_of(stream);
      const SchedulerLock lock;
      return context->failures->stop() ? kStopBit : 0;
    }
    case StreamAttribute::kOverflowSwitch: return overflow_switch(stream);
    case StreamAttribute::kCustomTag: return stream.custom_tag;
    case StreamAttribute::kCacheOpInfo: return stream.caches_op_info ? 1 : 0;
    case StreamAttribute::kPriority: return stream.priority;
  }
  return 0;
}

void set_failure_mode(Stream& stream, std::uint64_t mode) {
  stream.check_not_bound("set the failure mode of", Code::kFeatureNotSupported);
  const ContextPtr context = context_of(stream);
  const SchedulerLock lock;
  const bool stop = (mode & kStopBit) != 0;
  check(stop || !context->failures->stop(), Code::kFeatureNotSupported,
        "The context of stream {} stops at failures (mode 1); it cannot be set to continue at failures (mode 0) again.",
        stream.id);
  if (stop) context->failures->set_stop();
}

void set_overflow_switch(const Stream& stream, std::uint32_t flag) {
  check(flag <= 1, Code::kInvalidParam, "flag is {}; 0 or 1 is expected.", flag);
  stream.check_executes("set the overflow switch of");
  if (flag == 1) refuse_overflow_detection();
}

std::uint32_t overflow_switch(const Stream& stream) {
  stream.check_executes("read the overflow switch of");
  return 0;
}

void stop_stream(Stream& stream) {
  stream.check_not_bound("stop", Code::kFeatureNotSupported);
  check((stream.options.flags & kStreamDeviceUseOnly) != 0, Code::kFeatureNotSupported,
        "Stream {} has flags 0x{:x}; only streams with DEVICE_USE_ONLY (0x20) can be stopped, others are aborted.",
        stream.id, stream.options.flags);
  stream.abort();
}

}  // namespace aclvk::runtime
