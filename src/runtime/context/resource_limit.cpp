#include "runtime/context/resource_limit.hpp"

#include <algorithm>
#include <map>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "base/thread_value.hpp"
#include "runtime/context/current.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/device/core_limits.hpp"
#include "runtime/device/device_attributes.hpp"

namespace aclvk::runtime {
namespace {

struct Registry {
  Mutex mutex;
  std::map<std::int32_t, CoreLimits> devices GUARDED_BY(mutex);  // references to elements stay valid
};

CoreLimits& limits_of_device(std::int32_t device_id) {
  auto& registry = ProcessState<Registry, StateId::kCoreLimits>::get();
  const LockGuard lock(registry.mutex);
  return registry.devices[device_id];
}

// A handle and not a pointer: it becomes stale when the stream is destroyed.
thread_local ThreadValue<void*> used_stream;

std::uint32_t checked_cores(std::int32_t device_id, int kind) {
  const std::uint32_t cores = core_count(device_id, kind);
  check(find_open_device(device_id) != nullptr, Code::kRuntimeInternal,
        "Device {} has not been set in this process; it has no limits yet.", device_id);
  return cores;
}

// Programs are written for the core counts of NPUs: outside of strict mode a larger limit means all cores.
std::uint32_t checked_limit(std::int32_t device_id, std::uint32_t limit, std::uint32_t cores) {
  check(limit <= cores || !config().strict(), Code::kParamInvalid, "value is {}; device {} has {} cores.", limit,
        device_id, cores);
  return std::min(limit, cores);
}

std::int32_t device_of(const Stream& stream) { return static_cast<std::int32_t>(stream.device().id); }

}  // namespace

std::uint32_t device_core_limit(std::int32_t device_id, int kind) {
  const std::uint32_t cores = checked_cores(device_id, kind);
  return limits_of_device(device_id).get(kind, cores);
}

void set_device_core_limit(std::int32_t device_id, int kind, std::uint32_t limit) {
  const std::uint32_t cores = checked_cores(device_id, kind);
  limits_of_device(device_id).set(kind, checked_limit(device_id, limit, cores));
}

void reset_device_core_limits(std::int32_t device_id) {
  checked_cores(device_id, 0);
  limits_of_device(device_id).reset();
}

std::uint32_t stream_core_limit(const Stream& stream, int kind) {
  return stream.core_limits.get(kind, device_core_limit(device_of(stream), kind));
}

void set_stream_core_limit(Stream& stream, int kind, std::uint32_t limit) {
  const std::uint32_t cores = checked_cores(device_of(stream), kind);
  stream.core_limits.set(kind, checked_limit(device_of(stream), limit, cores));
}

void use_core_limits_of(const Stream& stream) { used_stream.get() = stream.handle; }

void use_core_limits_of_device() { used_stream.get() = nullptr; }

std::uint32_t thread_core_limit(int kind) {
  const auto device_id = static_cast<std::int32_t>(current_context()->device().id);
  const void* used = used_stream.get();
  const StreamPtr stream = used ? stream_handles().find(used) : nullptr;
  return stream ? stream_core_limit(*stream, kind) : device_core_limit(device_id, kind);
}

}  // namespace aclvk::runtime
