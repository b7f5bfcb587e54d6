#include <cstring>
#include <memory>

#include "acl/acl_rt.h"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "base/error.hpp"
#include "runtime/device_facts.hpp"
#include "runtime/stream_use.hpp"

using namespace aclvk;
using api::guard;
using api::own_stream_of;
using api::require;
using api::stream_of;

namespace {

/// Copies a value of 8 bytes, or of 4 where programs exist that pass that (runtime-semantics 4.2).
template <typename T>
void read_value(T& member, const void* value, size_t bytes, bool may_be_short) {
  const bool expected = bytes == sizeof(T) || (may_be_short && bytes == sizeof(uint32_t));
  check(expected, Code::kInvalidParam, "valueSize is {}; {} is expected.", bytes, sizeof(T));
  member = T{};
  std::memcpy(&member, value, bytes);
}

void read_priority(uint32_t& priority, const void* value, size_t bytes) {
  uint32_t given = 0;
  read_value(given, value, bytes, false);
  check(given <= runtime::kLeastPriority, Code::kInvalidParam, "The priority is {}; 0..{} is expected.", given,
        runtime::kLeastPriority);
  priority = given;
}

// A task that fails does not keep later ones from running, and nothing in Vulkan would stop them.
void check_continues(uint64_t mode) {
  check((mode & 1U) == ACL_CONTINUE_ON_FAILURE, Code::kFeatureNotSupported,
        "Failure mode {} stops a context at its first failing task; that is not built in aclvk yet.", mode);
}

void check_switch(uint32_t flag) {
  check(flag <= 1, Code::kInvalidParam, "flag is {}; 0 or 1 is expected.", flag);
  check(flag == 0, Code::kFeatureNotSupported, "Vulkan cannot detect floating point overflow.");
}

void check_attribute(aclrtStreamAttr attribute) {
  const bool known = attribute >= ACL_STREAM_ATTR_FAILURE_MODE && attribute <= ACL_STREAM_ATTR_PRIORITY;
  check(known, Code::kParamInvalid, "stmAttrType is {}; 1..5 is expected.", static_cast<int>(attribute));
}

void check_priority_stream(aclrtStreamAttr attribute, aclrtStream stream) {
  check(attribute != ACL_STREAM_ATTR_PRIORITY || stream, Code::kParamInvalid,
        "stream is NULL; the priority is an attribute of created streams.");
}

[[noreturn]] void refuse_attribute(aclrtStreamAttr attribute) {
  fail(Code::kFeatureNotSupported, "Stream attribute {} is not built in aclvk yet.", static_cast<int>(attribute));
}

}  // namespace

aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle() {
  aclrtStreamConfigHandle* handle = nullptr;
  guard(__func__, [&] { handle = new aclrtStreamConfigHandle{}; });
  return handle;
}

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
  return guard(__func__, [&] {
    require(handle, "handle");
    delete handle;
  });
}

aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr, const void* attrValue,
                                 size_t valueSize) {
  return guard(__func__, [&] {
    require(handle, "handle");
    require(attrValue, "attrValue");
    switch (attr) {
      case ACL_RT_STREAM_WORK_ADDR_PTR: return read_value(handle->workptr, attrValue, valueSize, false);
      case ACL_RT_STREAM_WORK_SIZE: return read_value(handle->workSize, attrValue, valueSize, false);
      case ACL_RT_STREAM_FLAG: return read_value(handle->flag, attrValue, valueSize, true);
      case ACL_RT_STREAM_PRIORITY: return read_priority(handle->priority, attrValue, valueSize);
    }
    fail(Code::kInvalidParam, "attr is {}; 0..3 is expected.", static_cast<int>(attr));
  });
}

aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
  return guard(__func__, [&] {
    require(stream, "stream");
    const aclrtStreamConfigHandle config = handle ? *handle : aclrtStreamConfigHandle{};
    *stream = runtime::create_stream(config.priority, static_cast<uint32_t>(config.flag))->handle;
  });
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  return guard(__func__, [&] {
    own_stream_of(stream)->check_not_bound("set the failure mode of", Code::kFeatureNotSupported);
    check_continues(mode);
  });
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  return guard(__func__, [&] {
    check(flag <= 1, Code::kInvalidParam, "flag is {}; 0 or 1 is expected.", flag);
    own_stream_of(stream)->check_executes("set the overflow switch of");
    check_switch(flag);
  });
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  return guard(__func__, [&] {
    require(flag, "flag");
    own_stream_of(stream)->check_executes("read the overflow switch of");
    *flag = 0;
  });
}

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue* value) {
  return guard(__func__, [&] {
    require(value, "value");
    check_attribute(stmAttrType);
    check_priority_stream(stmAttrType, stream);
    const auto found = own_stream_of(stream);
    if (stmAttrType == ACL_STREAM_ATTR_FAILURE_MODE) return check_continues(value->failureMode);
    if (stmAttrType == ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK) {
      found->check_executes("set the overflow switch of");
      return check_switch(value->overflowSwitch);
    }
    if (stmAttrType == ACL_STREAM_ATTR_CACHE_OP_INFO) {
      found->keeps_op_info = value->cacheOpInfoSwitch != 0;
      return;
    }
    refuse_attribute(stmAttrType);
  });
}

aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue* value) {
  return guard(__func__, [&] {
    require(value, "value");
    check_attribute(stmAttrType);
    check_priority_stream(stmAttrType, stream);
    const auto found = stream_of(stream);
    switch (stmAttrType) {
      case ACL_STREAM_ATTR_FAILURE_MODE: value->failureMode = ACL_CONTINUE_ON_FAILURE; break;
      case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
        found->check_executes("read the overflow switch of");
        value->overflowSwitch = 0;
        break;
      case ACL_STREAM_ATTR_CACHE_OP_INFO: value->cacheOpInfoSwitch = found->keeps_op_info ? 1 : 0; break;
      case ACL_STREAM_ATTR_PRIORITY: value->streamPriority = found->options.priority; break;
      default: refuse_attribute(stmAttrType);
    }
  });
}
