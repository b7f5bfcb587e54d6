// acl/acl_tdt_queue.h, acl/rt/queue.h: message buffers, which have two names: acltdtBuf of queues and aclrtMbuf of the
// runtime.
#include "acl/acl_rt.h"
#include "acl/acl_tdt_queue.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/queue/message.hpp"

using namespace aclvk;
using api::guard_host;
using api::require;

namespace {

int allocate(const char* function, size_t size, void** buf) {
  return guard_host(function, [&] {
    require(buf, "buf");
    *buf = runtime::allocate_message_buffer(size);
  });
}

int release(const char* function, void* buf) {
  return guard_host(function, [&] {
    require(buf, "buf");
    runtime::free_message_buffer(buf);
  });
}

int get_data(const char* function, void* buf, void** data, size_t* size) {
  return guard_host(function, [&] {
    require(buf, "buf");
    require(data, "dataPtr");
    require(size, "size");
    const runtime::MessageSpan span = runtime::message_span(buf);
    *data = span.data;
    *size = span.capacity;
  });
}

int set_length(const char* function, void* buf, size_t length) {
  return guard_host(function, [&] {
    require(buf, "buf");
    runtime::set_message_length(buf, length);
  });
}

int get_length(const char* function, void* buf, size_t* length) {
  return guard_host(function, [&] {
    require(buf, "buf");
    require(length, "len");
    *length = runtime::message_length(buf);
  });
}

int append(const char* function, void* head, void* buf) {
  return guard_host(function, [&] {
    require(head, "headBuf");
    require(buf, "buf");
    runtime::append_message(head, buf);
  });
}

int get_chain_length(const char* function, void* head, uint32_t* count) {
  return guard_host(function, [&] {
    require(head, "headBuf");
    require(count, "num");
    *count = static_cast<uint32_t>(runtime::chain_length(head));
  });
}

int get_member(const char* function, void* head, uint32_t index, void** buf) {
  return guard_host(function, [&] {
    require(head, "headBuf");
    require(buf, "buf");
    *buf = runtime::chain_member(head, index);
  });
}

int get_user(const char* function, void* buf, void* data, size_t size, size_t offset) {
  return guard_host(function, [&] {
    require(buf, "buf");
    require(data, "dataPtr");
    runtime::read_user_part(buf, data, size, offset);
  });
}

int set_user(const char* function, void* buf, const void* data, size_t size, size_t offset) {
  return guard_host(function, [&] {
    require(buf, "buf");
    require(data, "dataPtr");
    runtime::write_user_part(buf, data, size, offset);
  });
}

int copy_reference(const char* function, void* buf, void** copy) {
  return guard_host(function, [&] {
    require(buf, "buf");
    require(copy, "newBuf");
    *copy = runtime::copy_message_reference(buf);
  });
}

void check_type(uint32_t type) {
  const bool known = type == ACL_TDT_NORMAL_MEM || type == ACL_TDT_DVPP_MEM;
  check(known, Code::kInvalidParam, "type is {}; NORMAL_MEM (0) or DVPP_MEM (1) is expected.", type);
}

}  // namespace

// The type has no effect: memory for media units and other memory are host memory.
aclError acltdtAllocBuf(size_t size, uint32_t type, acltdtBuf* buf) {
  const aclError refused = guard_host(__func__, [&] { check_type(type); });
  return refused ? refused : allocate(__func__, size, buf);
}

aclError acltdtFreeBuf(acltdtBuf buf) { return release(__func__, buf); }

aclError acltdtGetBufData(const acltdtBuf buf, void** dataPtr, size_t* size) {
  return get_data(__func__, buf, dataPtr, size);
}

aclError acltdtSetBufDataLen(acltdtBuf buf, size_t len) { return set_length(__func__, buf, len); }

aclError acltdtGetBufDataLen(acltdtBuf buf, size_t* len) { return get_length(__func__, buf, len); }

aclError acltdtAppendBufChain(acltdtBuf headBuf, acltdtBuf buf) { return append(__func__, headBuf, buf); }

aclError acltdtGetBufChainNum(acltdtBuf headBuf, uint32_t* num) { return get_chain_length(__func__, headBuf, num); }

aclError acltdtGetBufFromChain(acltdtBuf headBuf, uint32_t index, acltdtBuf* buf) {
  return get_member(__func__, headBuf, index, buf);
}

aclError acltdtGetBufUserData(const acltdtBuf buf, void* dataPtr, size_t size, size_t offset) {
  return get_user(__func__, buf, dataPtr, size, offset);
}

aclError acltdtSetBufUserData(acltdtBuf buf, const void* dataPtr, size_t size, size_t offset) {
  return set_user(__func__, buf, dataPtr, size, offset);
}

aclError acltdtCopyBufRef(const acltdtBuf buf, acltdtBuf* newBuf) { return copy_reference(__func__, buf, newBuf); }

aclError aclrtAllocBuf(aclrtMbuf* buf, size_t size) { return allocate(__func__, size, buf); }

aclError aclrtFreeBuf(aclrtMbuf buf) { return release(__func__, buf); }

aclError aclrtGetBufData(const aclrtMbuf buf, void** dataPtr, size_t* size) {
  return get_data(__func__, buf, dataPtr, size);
}

aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len) { return set_length(__func__, buf, len); }

aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t* len) { return get_length(__func__, buf, len); }

aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf) { return append(__func__, headBuf, buf); }

aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t* num) { return get_chain_length(__func__, headBuf, num); }

aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index, aclrtMbuf* buf) {
  return get_member(__func__, headBuf, index, buf);
}

aclError aclrtGetBufUserData(const aclrtMbuf buf, void* dataPtr, size_t size, size_t offset) {
  return get_user(__func__, buf, dataPtr, size, offset);
}

aclError aclrtSetBufUserData(aclrtMbuf buf, const void* dataPtr, size_t size, size_t offset) {
  return set_user(__func__, buf, dataPtr, size, offset);
}

aclError aclrtCopyBufRef(const aclrtMbuf buf, aclrtMbuf* newBuf) { return copy_reference(__func__, buf, newBuf); }
