// acl/rt/stream_config.h: options and attributes of streams (runtime-semantics 4).
#include "runtime/context/stream_config.hpp"

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/context/stream_use.hpp"

using namespace aclvk;
using api::guard;
using api::own_stream_of;
using api::require;
using api::stream_of;
using runtime::StreamAttribute;

namespace {

void check_priority_stream(StreamAttribute attribute, aclrtStream stream) {
  check(attribute != StreamAttribute::kPriority || stream, Code::kParamInvalid,
        "stream is NULL; the priority is an attribute of created streams.");
}

// The failure mode is a 64-bit value, all other attributes are 32-bit.
uint64_t value_of(StreamAttribute attribute, const aclrtStreamAttrValue& value) {
  return attribute == StreamAttribute::kFailureMode ? value.failureMode : value.reserve[0];
}

void store(StreamAttribute attribute, uint64_t number, aclrtStreamAttrValue& value) {
  if (attribute == StreamAttribute::kFailureMode) {
    value.failureMode = number;
  } else {
    value.reserve[0] = static_cast<uint32_t>(number);
  }
}

}  // namespace

// The structure is public, so the handle is a plain pointer and not a slot of a handle table.
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
    runtime::StreamConfig config{handle->workptr, handle->workSize, handle->flag, handle->priority};
    runtime::set_option(config, static_cast<runtime::ConfigAttribute>(attr), attrValue, valueSize);
    *handle = {config.work_memory, config.work_bytes, config.flags, config.priority};
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
  return guard(__func__, [&] { runtime::set_failure_mode(*own_stream_of(stream), mode); });
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  return guard(__func__, [&] {
    check(flag <= 1, Code::kInvalidParam, "flag is {}; 0 or 1 is expected.", flag);
    runtime::set_overflow_switch(*own_stream_of(stream), flag);
  });
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  return guard(__func__, [&] {
    require(flag, "flag");
    *flag = runtime::overflow_switch(*own_stream_of(stream));
  });
}

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue* value) {
  return guard(__func__, [&] {
    require(value, "value");
    const StreamAttribute attribute = runtime::checked_attribute(stmAttrType);
    check_priority_stream(attribute, stream);
    runtime::set_attribute(*own_stream_of(stream), attribute, value_of(attribute, *value));
  });
}

// Reading accepts a stream of another context, setting does not.
aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue* value) {
  return guard(__func__, [&] {
    require(value, "value");
    const StreamAttribute attribute = runtime::checked_attribute(stmAttrType);
    check_priority_stream(attribute, stream);
    store(attribute, runtime::attribute(*stream_of(stream), attribute), *value);
  });
}

aclError aclrtStreamStop(aclrtStream stream) {
  return guard(__func__, [&] { runtime::stop_stream(*own_stream_of(stream)); });
}
