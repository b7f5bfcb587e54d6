#include "comm/copy_task.hpp"

#include "comm/comm_error.hpp"
#include "comm/communicator.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/memory/async_copy.hpp"

namespace aclvk::comm {
namespace {

constexpr int kDeviceToDevice = 3;  // ACL_MEMCPY_DEVICE_TO_DEVICE; only a hint

runtime::StreamPtr stream_of(const void* handle, const Communicator& communicator) {
  runtime::StreamPtr stream = runtime::stream_handles().find(handle);
  check(stream != nullptr, HCCL_E_PARA, "stream ({}) is not a live stream.", handle);
  const auto device = static_cast<std::int32_t>(stream->device().id);
  check(device == communicator.device, HCCL_E_PARA, "stream {} is of device {}; the communicator is of device {}.",
        stream->id, device, communicator.device);
  return stream;
}

}  // namespace

void copy_in_stream_order(const Target& target, CallKind kind, const ByteCopy& copy) {
  // Handles are checked at the call, even inside a group.
  const CommunicatorPtr communicator = communicator_of(target.comm);
  runtime::StreamPtr stream = stream_of(target.stream, *communicator);
  check(!communicator->suspended, HCCL_E_SUSPENDING, "Communicator \"{}\" is suspended; HcclCommResume ends that.",
        communicator->name);
  issue(kind, [stream = std::move(stream), copy] {
    if (copy.size == 0 || copy.src == copy.dst) return;
    runtime::copy_in_stream(*stream, {copy.dst, copy.size, copy.src, copy.size, kDeviceToDevice});
  });
}

}  // namespace aclvk::comm
