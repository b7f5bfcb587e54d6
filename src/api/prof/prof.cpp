// acl/acl_prof.h: the profile that a program begins and ends.
#include <cstring>
#include <optional>
#include <set>
#include <string>

#include "acl/acl_prof.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/device/device.hpp"
#include "runtime/profile/control.hpp"
#include "runtime/profile/settings.hpp"

using namespace aclvk;
using api::guard_host;
using api::require;
namespace profile = runtime::profile;

namespace {

// The bits of dataTypeConfig by what the library's profile shows for them: calls, tasks, or nothing.
constexpr uint64_t kCallTypes =
    ACL_PROF_ACL_API | ACL_PROF_RUNTIME_API | ACL_PROF_GE_API_L0 | ACL_PROF_GE_API_L1 | ACL_PROF_API_STATS;
constexpr uint64_t kTaskTypes = ACL_PROF_TASK_TIME | ACL_PROF_TASK_TIME_L0 | ACL_PROF_TASK_TIME_L2 |
                                ACL_PROF_TASK_TIME_L3 | ACL_PROF_AICPU | ACL_PROF_AICORE_METRICS |
                                ACL_PROF_TRAINING_TRACE | ACL_PROF_OP_ATTR | ACL_PROF_AICORE_SHAPE;
// Metrics that boards count and Vulkan lacks: valid in a configuration, and shown nowhere.
constexpr uint64_t kSilentTypes = ACL_PROF_L2CACHE | ACL_PROF_HCCL_TRACE | ACL_PROF_TASK_MEMORY;

constexpr size_t kLongestPath = 4096;  // PATH_MAX of Linux

uint32_t what_of(uint64_t data_types) {
  check((data_types & ~(kCallTypes | kTaskTypes | kSilentTypes | ACL_PROF_MSPROFTX)) == 0, Code::kInvalidParam,
        "dataTypeConfig is 0x{:x}; a combination of ACL_PROF_* is expected.", data_types);
  uint32_t what = 0;
  if (data_types & kCallTypes) what |= profile::kCalls;
  if (data_types & kTaskTypes) what |= profile::kTasks;
  if (data_types & ACL_PROF_MSPROFTX) what |= profile::kRanges;
  return what;
}

void check_metrics(aclprofAicoreMetrics metrics) {
  const int number = metrics;
  check((number >= 0 && number <= ACL_AICORE_MEMORY_ACCESS) || number == ACL_AICORE_NONE, Code::kInvalidParam,
        "aicoreMetrics is {}; 0 to {} or {} is expected.", number, static_cast<int>(ACL_AICORE_MEMORY_ACCESS),
        static_cast<int>(ACL_AICORE_NONE));
}

uint64_t device_bits(const uint32_t* ids, uint32_t count) {
  require(ids, "deviceIdList");
  const uint32_t devices = runtime::device_count();
  check(count > 0 && count <= devices, Code::kInvalidParam, "deviceNums is {}; 1 to {} is expected.", count, devices);
  uint64_t bits = 0;  // one for each device, so ids end at 63
  for (uint32_t i = 0; i < count; ++i) {
    check(ids[i] < devices && ids[i] < 64, Code::kInvalidParam, "deviceIdList[{}] is {}; {} devices are visible.", i,
          ids[i], devices);
    check((bits >> ids[i] & 1U) == 0, Code::kInvalidParam,
          "deviceIdList[{}] is {}, which precedes it in the list; each device is expected once.", i, ids[i]);
    bits |= uint64_t{1} << ids[i];
  }
  return bits;
}

std::shared_ptr<profile::Config> config_of(const aclprofConfig* handle) {
  require(handle, "profilerConfig");
  auto config = profile::config_handles().find(handle);
  check(config != nullptr, Code::kInvalidParam, "profilerConfig {} is no live configuration.",
        static_cast<const void*>(handle));
  return config;
}

/// Returns `length` characters; the text needs no terminator and may contain one.
std::string text_of(const char* text, size_t length, const char* name) {
  require(text, name);
  check(length > 0 && length <= kLongestPath, Code::kInvalidParam, "The length of {} is {}; 1 to {} is expected.", name,
        length, kLongestPath);
  std::string copy(text, strnlen(text, length));
  check(!copy.empty(), Code::kInvalidParam, "{} is empty; at least one character is expected.", name);
  return copy;
}

void set_option(aclprofConfigType type, const std::string& value) {
  if (type == ACL_PROF_PATH) return profile::set_folder(value);
  if (type == ACL_PROF_STORAGE_LIMIT) return profile::set_limit(profile::read_size(value));
  if (type == ACL_PROF_SYS_HARDWARE_MEM_FREQ && profile::accepts_frequency(value)) return;
  fail(Code::kFeatureNotSupported,
       "Option {} samples counters of a board (memory, links, codecs, host), which Vulkan does not have; ACL_PROF_PATH "
       "and ACL_PROF_STORAGE_LIMIT can be set.",
       static_cast<int>(type));
}

}  // namespace

aclError aclprofInit(const char* profilerResultPath, size_t length) {
  return guard_host(__func__, [&] { profile::begin(text_of(profilerResultPath, length, "profilerResultPath")); });
}

aclError aclprofFinalize() {
  return guard_host(__func__, [] { profile::end(); });
}

aclprofConfig* aclprofCreateConfig(uint32_t* deviceIdList, uint32_t deviceNums, aclprofAicoreMetrics aicoreMetrics,
                                   const aclprofAicoreEvents* /*aicoreEvents*/, uint64_t dataTypeConfig) {
  void* handle = nullptr;
  guard_host(__func__, [&] {
    const uint64_t devices = device_bits(deviceIdList, deviceNums);
    check_metrics(aicoreMetrics);
    const profile::Selection selection{what_of(dataTypeConfig), devices};
    handle = profile::config_handles().insert(std::make_shared<profile::Config>(profile::Config{selection}));
  });
  return static_cast<aclprofConfig*>(handle);
}

aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig) {
  return guard_host(__func__, [&] {
    check(!profile::started(*config_of(profilerConfig)), Code::kProfilingRuns,
          "profilerConfig {} has been started; aclprofStop is expected before its end.",
          static_cast<const void*>(profilerConfig));
    profile::config_handles().remove(profilerConfig);
  });
}

aclError aclprofStart(const aclprofConfig* profilerConfig) {
  return guard_host(__func__, [&] { profile::start(config_of(profilerConfig)); });
}

aclError aclprofStop(const aclprofConfig* profilerConfig) {
  return guard_host(__func__, [&] { profile::stop(config_of(profilerConfig)); });
}

aclError aclprofSetConfig(aclprofConfigType configType, const char* config, size_t configLength) {
  return guard_host(__func__, [&] {
    const int type = configType;
    check(type > ACL_PROF_ARGS_MIN && type < ACL_PROF_ARGS_MAX, Code::kInvalidParam,
          "configType is {}; {} to {} is expected.", type, ACL_PROF_ARGS_MIN + 1, ACL_PROF_ARGS_MAX - 1);
    set_option(configType, text_of(config, configLength, "config"));
  });
}
