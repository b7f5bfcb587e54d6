// acl/acl_prof.h: ranges and marks of the program in a profile; and aclrtProfTrace, a mark of acl/rt/task.h.
#include "runtime/profile/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl_prof.h"
#include "acl/acl_rt.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/json_text.hpp"

using namespace aclvk;
using api::guard;
using api::guard_host;
using api::own_stream_of;
using api::require;
using runtime::json_array;
using runtime::JsonObject;
namespace profile = runtime::profile;

namespace {

constexpr size_t kLongestMessage = 4096;
constexpr size_t kShownBytes = 64;  // of the data of aclrtProfTrace, in hexadecimal

std::string message_of(const char* text, size_t length) {
  require(text, "msg");
  check(length > 0 && length <= kLongestMessage, Code::kInvalidParam, "The length of msg is {}; 1 to {} is expected.",
        length, kLongestMessage);
  return {text, strnlen(text, length)};
}

std::shared_ptr<profile::Stamp> stamp_of(const void* handle) {
  require(handle, "stamp");
  auto stamp = profile::stamp_handles().find(handle);
  check(stamp != nullptr, Code::kInvalidParam, "stamp {} is no live stamp.", handle);
  return stamp;
}

std::string name_of(const profile::Stamp& stamp) { return stamp.text.empty() ? "stamp" : stamp.text; }

std::shared_ptr<profile::Step> step_of(const aclprofStepInfo* handle) {
  require(handle, "stepInfo");
  auto step = profile::step_handles().find(handle);
  check(step != nullptr, Code::kInvalidParam, "stepInfo {} is no live step.", static_cast<const void*>(handle));
  return step;
}

JsonObject members_of(const aclprofTensor& tensor) {
  const std::size_t dims = std::min<std::size_t>(tensor.shapeDim, ACL_PROF_TENSOR_DATA_SHAPE_LEN);
  const std::vector<uint32_t> shape(tensor.shape, tensor.shape + dims);
  JsonObject members;
  members.add("dtype", tensor.dataType).add("format", tensor.format).add_json("shape", json_array(shape));
  return members;
}

JsonObject members_of(const aclprofTensorInfo& info) {
  std::vector<std::string> tensors;
  for (uint32_t i = 0; info.tensors && i < info.tensorNum; ++i) tensors.push_back(members_of(info.tensors[i]).text());
  JsonObject members;
  members.add("type", profile::text_of(info.opTypeId)).add("kernelType", info.kernelType);
  members.add("blocks", info.blockNums).add_json("tensors", runtime::json_array_of(tensors));
  return members;
}

void check_attributes(const aclprofEventAttributes& attributes) {
  check(attributes.version == ACL_PROF_EVENT_ATTR_VERSION, Code::kInvalidParam, "version is {}; {} is expected.",
        attributes.version, ACL_PROF_EVENT_ATTR_VERSION);
  check(attributes.size == sizeof(attributes), Code::kInvalidParam, "size is {}; {} is expected.", attributes.size,
        sizeof(attributes));
  check(attributes.messageType == ACL_PROF_MESSAGE_TYPE_TENSOR_INFO, Code::kInvalidParam,
        "messageType is {}; {} (tensor info) is expected.", attributes.messageType,
        static_cast<int>(ACL_PROF_MESSAGE_TYPE_TENSOR_INFO));
  require(attributes.message.tensorInfo, "tensorInfo");
}

}  // namespace

void* aclprofCreateStamp() {
  void* handle = nullptr;
  guard_host(__func__, [&] { handle = profile::stamp_handles().insert(std::make_shared<profile::Stamp>()); });
  return handle;
}

void aclprofDestroyStamp(void* stamp) {
  guard_host(__func__, [&] {
    if (!stamp) return;
    check(profile::stamp_handles().remove(stamp) != nullptr, Code::kInvalidParam, "stamp {} is no live stamp.", stamp);
  });
}

aclError aclprofSetStampTraceMessage(void* stamp, const char* msg, uint32_t msgLen) {
  return guard_host(__func__, [&] {
    const auto found = stamp_of(stamp);
    found->text = message_of(msg, msgLen);
  });
}

aclError aclprofPush(void* stamp) {
  return guard_host(__func__, [&] { profile::push_range(name_of(*stamp_of(stamp))); });
}

aclError aclprofPop() {
  return guard_host(__func__, [] { profile::pop_range(); });
}

aclError aclprofRangeStart(void* stamp, uint32_t* rangeId) {
  return guard_host(__func__, [&] {
    const auto found = stamp_of(stamp);
    require(rangeId, "rangeId");
    *rangeId = profile::start_range(name_of(*found));
  });
}

aclError aclprofRangeStop(uint32_t rangeId) {
  return guard_host(__func__, [&] { profile::stop_range(rangeId); });
}

aclError aclprofMark(void* stamp) {
  return guard_host(__func__, [&] { profile::mark(name_of(*stamp_of(stamp))); });
}

// Marks the moment of the call on the host, and the moment at which the stream reaches the mark.
aclError aclprofMarkEx(const char* msg, size_t msgLen, aclrtStream stream) {
  return guard(__func__, [&] {
    const std::string text = message_of(msg, msgLen);
    const auto found = own_stream_of(stream);
    profile::mark(text);
    profile::mark_stream(*found, text);
  });
}

uint64_t aclprofStr2Id(const char* message) {
  uint64_t id = UINT64_MAX;
  guard_host(__func__, [&] {
    require(message, "message");
    id = profile::text_id(message);
  });
  return id;
}

aclError aclprofRangePushEx(aclprofEventAttributes* attr) {
  return guard_host(__func__, [&] {
    require(attr, "attr");
    check_attributes(*attr);
    const aclprofTensorInfo& info = *attr->message.tensorInfo;
    std::string name = profile::text_of(info.opNameId);
    profile::push_range(name.empty() ? "range" : std::move(name), members_of(info).members());
  });
}

aclError aclprofRangePop() {
  return guard_host(__func__, [] { profile::pop_range(); });
}

aclprofStepInfo* aclprofCreateStepInfo() {
  void* handle = nullptr;
  guard_host(__func__, [&] { handle = profile::step_handles().insert(std::make_shared<profile::Step>()); });
  return static_cast<aclprofStepInfo*>(handle);
}

void aclprofDestroyStepInfo(aclprofStepInfo* stepinfo) {
  guard_host(__func__, [&] {
    if (!stepinfo) return;
    check(profile::step_handles().remove(stepinfo) != nullptr, Code::kInvalidParam, "stepinfo {} is no live step.",
          static_cast<void*>(stepinfo));
  });
}

aclError aclprofGetStepTimestamp(aclprofStepInfo* stepInfo, aclprofStepTag tag, aclrtStream stream) {
  return guard(__func__, [&] {
    const auto step = step_of(stepInfo);
    check(tag == ACL_STEP_START || tag == ACL_STEP_END, Code::kInvalidParam, "tag is {}; 0 or 1 is expected.",
          static_cast<int>(tag));
    const auto found = own_stream_of(stream);
    tag == ACL_STEP_START ? profile::begin_step(*step, *found) : profile::end_step(*step, *found);
  });
}

aclError aclrtProfTrace(void* userdata, int32_t length, aclrtStream stream) {
  return guard(__func__, [&] {
    require(userdata, "userdata");
    check(length > 0, Code::kParamInvalid, "length is {}; a positive number of bytes is expected.", length);
    api::check_array(static_cast<const unsigned char*>(userdata), static_cast<size_t>(length), "userdata");
    const auto found = own_stream_of(stream);
    const auto* bytes = static_cast<const unsigned char*>(userdata);
    std::string text = "trace";
    for (size_t i = 0; i < static_cast<size_t>(length) && i < kShownBytes; ++i) {
      text += fmt::format("{}{:02x}", i % 8 == 0 ? " " : "", bytes[i]);
    }
    profile::mark_stream(*found, text);
  });
}
