// acl/acl_prof.h: records of a model's tasks, written to a pipe while the model runs.
#include "runtime/profile/subscription.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "acl/acl_prof.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "capture/model/model.hpp"
#include "runtime/host/host_probe.hpp"
#include "runtime/profile/control.hpp"

using namespace aclvk;
using api::guard_host;
using api::require;
namespace profile = runtime::profile;
using profile::OpRecord;

namespace {

bool is_metrics(aclprofAicoreMetrics metrics) {
  const int number = metrics;
  return (number >= 0 && number <= ACL_AICORE_MEMORY_ACCESS) || number == ACL_AICORE_NONE;
}

// `fd` is the address of the file descriptor.
int descriptor_of(const void* fd) {
  require(fd, "fd");
  int descriptor = -1;
  check(runtime::host_accessible(fd, sizeof(descriptor), runtime::HostAccess::kRead), Code::kInvalidParam,
        "fd {} is no memory of this process.", fd);
  std::memcpy(&descriptor, fd, sizeof(descriptor));
  const int flags = ::fcntl(descriptor, F_GETFL);
  const bool writable = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
  check(writable, Code::kInvalidParam, "The file descriptor {} cannot be written to.", descriptor);
  return descriptor;
}

void check_model(uint32_t id) {
  const auto models = capture::model_handles().all();
  const bool known = std::any_of(models.begin(), models.end(), [&](const auto& model) { return model->id == id; });
  check(known, Code::kInvalidParam, "modelId is {}; no live model has it.", id);
}

/// Copies the record, because a program's buffer may be unaligned.
OpRecord record_of(const void* records, size_t bytes, uint32_t index) {
  require(records, "opInfo");
  check(bytes >= sizeof(OpRecord), Code::kInvalidParam, "opInfoLen is {}; a record has {} bytes.", bytes,
        sizeof(OpRecord));
  check(index < bytes / sizeof(OpRecord), Code::kInvalidParam, "index is {}; there are {} records.", index,
        bytes / sizeof(OpRecord));
  OpRecord record;
  std::memcpy(&record, static_cast<const char*>(records) + index * sizeof(record), sizeof(record));
  record.type[sizeof(record.type) - 1] = '\0';
  record.name[sizeof(record.name) - 1] = '\0';
  return record;
}

/// Returns a value of a record, or `otherwise` when there is no such record.
template <typename T, typename Get>
T value_of(const char* function, const void* records, size_t bytes, uint32_t index, T otherwise, Get get) {
  T value = otherwise;
  guard_host(function, [&] { value = get(record_of(records, bytes, index)); });
  return value;
}

void copy_text(const char* text, char* out, size_t room, const char* name) {
  require(out, name);
  check(room > std::strlen(text), Code::kInvalidParam, "{} has {} bytes; the text takes {}.", name, room,
        std::strlen(text) + 1);
  std::strcpy(out, text);
}

}  // namespace

aclprofSubscribeConfig* aclprofCreateSubscribeConfig(int8_t timeInfoSwitch, aclprofAicoreMetrics aicoreMetrics,
                                                     void* fd) {
  void* handle = nullptr;
  guard_host(__func__, [&] {
    check(timeInfoSwitch == 0 || timeInfoSwitch == 1, Code::kInvalidParam, "timeInfoSwitch is {}; 0 or 1 is expected.",
          static_cast<int>(timeInfoSwitch));
    check(is_metrics(aicoreMetrics), Code::kInvalidParam, "aicoreMetrics is {}; 0 to {} or {} is expected.",
          static_cast<int>(aicoreMetrics), static_cast<int>(ACL_AICORE_MEMORY_ACCESS),
          static_cast<int>(ACL_AICORE_NONE));
    const profile::SubscribeConfig config{descriptor_of(fd), timeInfoSwitch == 1};
    handle = profile::subscribe_config_handles().insert(std::make_shared<profile::SubscribeConfig>(config));
  });
  return static_cast<aclprofSubscribeConfig*>(handle);
}

aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig* profSubscribeConfig) {
  return guard_host(__func__, [&] {
    require(profSubscribeConfig, "profSubscribeConfig");
    check(profile::subscribe_config_handles().remove(profSubscribeConfig) != nullptr, Code::kInvalidParam,
          "profSubscribeConfig {} is no live configuration.", static_cast<const void*>(profSubscribeConfig));
  });
}

aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig* profSubscribeConfig) {
  return guard_host(__func__, [&] {
    require(profSubscribeConfig, "profSubscribeConfig");
    const auto config = profile::subscribe_config_handles().find(profSubscribeConfig);
    check(config != nullptr, Code::kInvalidParam, "profSubscribeConfig {} is no live configuration.",
          static_cast<const void*>(profSubscribeConfig));
    check(!profile::begun(), Code::kProfilingConflict,
          "A profile has been begun by aclprofInit; a model cannot be subscribed to at the same time.");
    check_model(modelId);
    profile::subscribe(modelId, config->descriptor, config->with_times);
  });
}

aclError aclprofModelUnSubscribe(uint32_t modelId) {
  return guard_host(__func__, [&] { profile::unsubscribe(modelId); });
}

aclError aclprofGetOpDescSize(size_t* opDescSize) {
  return guard_host(__func__, [&] {
    require(opDescSize, "opDescSize");
    *opDescSize = sizeof(OpRecord);
  });
}

aclError aclprofGetOpNum(const void* opInfo, size_t opInfoLen, uint32_t* opNumber) {
  return guard_host(__func__, [&] {
    require(opInfo, "opInfo");
    require(opNumber, "opNumber");
    check(opInfoLen >= sizeof(OpRecord) && opInfoLen % sizeof(OpRecord) == 0, Code::kInvalidParam,
          "opInfoLen is {}; a multiple of {} is expected.", opInfoLen, sizeof(OpRecord));
    *opNumber = static_cast<uint32_t>(opInfoLen / sizeof(OpRecord));
  });
}

aclError aclprofGetOpTypeLen(const void* opInfo, size_t opInfoLen, uint32_t index, size_t* opTypeLen) {
  return guard_host(__func__, [&] {
    require(opTypeLen, "opTypeLen");
    *opTypeLen = std::strlen(record_of(opInfo, opInfoLen, index).type) + 1;
  });
}

aclError aclprofGetOpType(const void* opInfo, size_t opInfoLen, uint32_t index, char* opType, size_t opTypeLen) {
  return guard_host(__func__,
                    [&] { copy_text(record_of(opInfo, opInfoLen, index).type, opType, opTypeLen, "opType"); });
}

aclError aclprofGetOpNameLen(const void* opInfo, size_t opInfoLen, uint32_t index, size_t* opNameLen) {
  return guard_host(__func__, [&] {
    require(opNameLen, "opNameLen");
    *opNameLen = std::strlen(record_of(opInfo, opInfoLen, index).name) + 1;
  });
}

aclError aclprofGetOpName(const void* opInfo, size_t opInfoLen, uint32_t index, char* opName, size_t opNameLen) {
  return guard_host(__func__,
                    [&] { copy_text(record_of(opInfo, opInfoLen, index).name, opName, opNameLen, "opName"); });
}

uint64_t aclprofGetOpStart(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return value_of(__func__, opInfo, opInfoLen, index, uint64_t{0}, [](const OpRecord& record) { return record.begin; });
}

uint64_t aclprofGetOpEnd(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return value_of(__func__, opInfo, opInfoLen, index, uint64_t{0}, [](const OpRecord& record) { return record.end; });
}

uint64_t aclprofGetOpDuration(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return value_of(__func__, opInfo, opInfoLen, index, uint64_t{0},
                  [](const OpRecord& record) { return record.end - record.begin; });
}

size_t aclprofGetModelId(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return value_of(__func__, opInfo, opInfoLen, index, size_t{0},
                  [](const OpRecord& record) { return size_t{record.model}; });
}

aclprofSubscribeOpFlag aclprofGetOpFlag(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return value_of(__func__, opInfo, opInfoLen, index, ACL_SUBSCRIBE_NONE,
                  [](const OpRecord&) { return ACL_SUBSCRIBE_OP; });
}

const char* aclprofGetOpAttriValue(const void* opInfo, size_t opInfoLen, uint32_t index,
                                   aclprofSubscribeOpAttri attri) {
  // Valid until the thread's next call. A plain array, because the result must outlive the thread's destructors.
  thread_local std::array<char, std::numeric_limits<std::uint32_t>::digits10 + 2> text;
  return value_of(__func__, opInfo, opInfoLen, index, static_cast<const char*>(nullptr), [&](const OpRecord& record) {
    check(attri == ACL_SUBSCRIBE_ATTRI_THREADID, Code::kInvalidParam, "attri is {}; 0 (thread id) is expected.",
          static_cast<int>(attri));
    *fmt::format_to(text.data(), "{}", record.thread) = '\0';
    return text.data();
  });
}
