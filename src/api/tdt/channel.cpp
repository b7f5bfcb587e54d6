// acl/acl_tdt.h: channels for sets of tensors. Both ends are on the host: handles of the same name and device share
// one.
#include "runtime/queue/channel.hpp"

#include <memory>

#include "acl/acl_tdt.h"
#include "api/base/created.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"

using namespace aclvk;
using api::created;
using api::guard;
using api::guard_host;
using api::require;

namespace {

std::shared_ptr<runtime::Channel> channel_of(const acltdtChannelHandle* handle) {
  require(handle, "handle");
  auto channel = runtime::channel_handles().find(handle);
  check(channel != nullptr, Code::kInvalidParam, "handle {} is not a live channel.", static_cast<const void*>(handle));
  return channel;
}

std::shared_ptr<runtime::Dataset> dataset_of(const acltdtDataset* handle) {
  require(handle, "dataset");
  auto set = runtime::dataset_handles().find(handle);
  check(set != nullptr, Code::kInvalidParam, "dataset {} is not a live dataset.", static_cast<const void*>(handle));
  return set;
}

void* open(uint32_t device, const char* name, const size_t* capacity) {
  require(name, "name");
  return runtime::open_channel(device, name, capacity);
}

}  // namespace

acltdtChannelHandle* acltdtCreateChannel(uint32_t deviceId, const char* name) {
  return created<acltdtChannelHandle>(__func__, [&] { return open(deviceId, name, nullptr); });
}

acltdtChannelHandle* acltdtCreateChannelWithCapacity(uint32_t deviceId, const char* name, size_t capacity) {
  return created<acltdtChannelHandle>(__func__, [&] { return open(deviceId, name, &capacity); });
}

aclError acltdtDestroyChannel(acltdtChannelHandle* handle) {
  return guard_host(__func__, [&] {
    require(handle, "handle");
    check(runtime::close_channel(handle), Code::kInvalidParam, "handle {} is not a live channel.",
          static_cast<void*>(handle));
  });
}

aclError acltdtStopChannel(acltdtChannelHandle* handle) {
  return guard_host(__func__, [&] { channel_of(handle)->stop(); });
}

aclError acltdtCleanChannel(acltdtChannelHandle* handle) {
  return guard_host(__func__, [&] { channel_of(handle)->clean(); });
}

aclError acltdtQueryChannelSize(const acltdtChannelHandle* handle, size_t* size) {
  return guard_host(__func__, [&] {
    const auto channel = channel_of(handle);
    require(size, "size");
    *size = channel->size();
  });
}

aclError acltdtSendTensor(const acltdtChannelHandle* handle, const acltdtDataset* dataset, int32_t timeout) {
  return guard(__func__, [&] {
    const auto channel = channel_of(handle);
    const auto set = dataset_of(dataset);
    channel->send(*set, runtime::WaitTimeout(timeout));
  });
}

aclError acltdtReceiveTensor(const acltdtChannelHandle* handle, acltdtDataset* dataset, int32_t timeout) {
  return guard_host(__func__, [&] {
    const auto channel = channel_of(handle);
    const auto set = dataset_of(dataset);
    channel->receive(*set, runtime::WaitTimeout(timeout));
  });
}
