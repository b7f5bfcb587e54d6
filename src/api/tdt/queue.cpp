// acl/acl_tdt_queue.h: queues of message buffers, on the host (docs/adr/0019).
#include "runtime/queue/queue.hpp"

#include <memory>

#include "acl/acl_tdt_queue.h"
#include "api/base/created.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"

using namespace aclvk;
using api::created;
using api::guard;
using api::guard_host;
using api::require;
using runtime::queue_attributes_handles;
using runtime::WaitTimeout;

namespace {

std::shared_ptr<runtime::QueueAttributes> attributes_of(const acltdtQueueAttr* handle) {
  require(handle, "attr");
  auto attributes = queue_attributes_handles().find(handle);
  check(attributes != nullptr, Code::kInvalidParam, "attr {} is not a live object.", static_cast<const void*>(handle));
  return attributes;
}

void check_data(const void* data, size_t bytes) {
  require(data, "data");
  check(bytes > 0, Code::kInvalidParam, "dataSize is 0; at least one byte is expected.");
}

void check_user_data(const void* data, size_t bytes) {
  check(bytes == 0 || data, Code::kInvalidParam, "userData is NULL; {} bytes are announced.", bytes);
  check(bytes <= runtime::kUserBytes, Code::kInvalidParam, "userDataSize is {}; at most {} bytes travel along.", bytes,
        runtime::kUserBytes);
}

}  // namespace

acltdtQueueAttr* acltdtCreateQueueAttr() {
  return created<acltdtQueueAttr>(
      __func__, [] { return queue_attributes_handles().insert(std::make_shared<runtime::QueueAttributes>()); });
}

aclError acltdtDestroyQueueAttr(const acltdtQueueAttr* attr) {
  return guard_host(__func__, [&] {
    attributes_of(attr);
    queue_attributes_handles().remove(attr);
  });
}

aclError acltdtSetQueueAttr(acltdtQueueAttr* attr, acltdtQueueAttrType type, size_t len, const void* param) {
  return guard_host(__func__, [&] {
    const auto attributes = attributes_of(attr);
    require(param, "param");
    runtime::set_attribute(*attributes, type, len, param);
  });
}

aclError acltdtGetQueueAttr(const acltdtQueueAttr* attr, acltdtQueueAttrType type, size_t len, size_t* paramRetSize,
                            void* param) {
  return guard_host(__func__, [&] {
    const auto attributes = attributes_of(attr);
    require(paramRetSize, "paramRetSize");
    require(param, "param");
    *paramRetSize = runtime::get_attribute(*attributes, type, len, param);
  });
}

aclError acltdtCreateQueue(const acltdtQueueAttr* attr, uint32_t* qid) {
  return guard_host(__func__, [&] {
    const auto attributes = attributes_of(attr);
    require(qid, "qid");
    *qid = runtime::create_queue(*attributes);
  });
}

aclError acltdtDestroyQueue(uint32_t qid) {
  return guard_host(__func__, [&] { runtime::destroy_queue(qid); });
}

aclError acltdtEnqueue(uint32_t qid, acltdtBuf buf, int32_t timeout) {
  return guard_host(__func__, [&] {
    require(buf, "buf");
    runtime::enqueue(qid, buf, WaitTimeout(timeout));
  });
}

aclError acltdtDequeue(uint32_t qid, acltdtBuf* buf, int32_t timeout) {
  return guard_host(__func__, [&] {
    require(buf, "buf");
    *buf = runtime::dequeue(qid, WaitTimeout(timeout));
  });
}

aclError acltdtEnqueueData(uint32_t qid, const void* data, size_t dataSize, const void* userData, size_t userDataSize,
                           int32_t timeout, uint32_t rsv) {
  return guard(__func__, [&] {
    check_data(data, dataSize);
    check_user_data(userData, userDataSize);
    check(rsv == 0, Code::kInvalidParam, "rsv is {}; it is reserved, 0 is expected.", rsv);
    const WaitTimeout wait(timeout);
    runtime::enqueue_data(qid, data, dataSize, userData, userDataSize, wait);
  });
}

aclError acltdtDequeueData(uint32_t qid, void* data, size_t dataSize, size_t* retDataSize, void* userData,
                           size_t userDataSize, int32_t timeout) {
  return guard(__func__, [&] {
    check_data(data, dataSize);
    require(retDataSize, "retDataSize");
    check_user_data(userData, userDataSize);
    runtime::dequeue_data(qid, {data, dataSize, retDataSize, userData, userDataSize}, WaitTimeout(timeout));
  });
}

aclError acltdtGrantQueue(uint32_t qid, int32_t pid, uint32_t permission, int32_t timeout) {
  return guard_host(__func__, [&] {
    const WaitTimeout checked(timeout);  // a grant takes effect at once
    runtime::grant(qid, pid, permission);
  });
}

aclError acltdtAttachQueue(uint32_t qid, int32_t timeout, uint32_t* permission) {
  return guard_host(__func__, [&] {
    require(permission, "permission");
    *permission = runtime::attach(qid, WaitTimeout(timeout));
  });
}
