// base/acl_log.h: the log that libraries of CANN write to.
#include "base/log.hpp"

#include <cstdarg>
#include <optional>

#include "api/acl/log_message.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/acl_log.h"
#include "base/error.hpp"

using namespace aclvk;
using api::format_message;
using api::guard_host;
using api::require;

namespace {

constexpr int32_t kLevelMask = 0xFFFF;

/// Null for levels that are never written.
std::optional<spdlog::level::level_enum> spdlog_level(int32_t level) {
  switch (level & kLevelMask) {
    case DLOG_DEBUG: return spdlog::level::debug;
    case DLOG_INFO: return spdlog::level::info;
    case DLOG_WARN: return spdlog::level::warn;
    case DLOG_ERROR: return spdlog::level::err;
    default: return std::nullopt;
  }
}

spdlog::logger& logger_of(int32_t level) { return (level & RUN_LOG_MASK) != 0 ? run_log() : log(); }

bool is_written(int32_t level) {
  const auto wanted = spdlog_level(level);
  return level >= 0 && wanted && logger_of(level).should_log(*wanted);
}

LogListener listener_for(acllogRecordCallback function, void* user, std::uint32_t type) {
  return [=](bool run, const char* line, std::size_t bytes) {
    const std::uint32_t is = run ? OUTPUT_TYPE_RUN : OUTPUT_TYPE_DEBUG;
    if (type == is || type == OUTPUT_TYPE_BOTH) function(user, is, line, bytes);
  };
}

/// Returns 0 or -1, the codes of these functions.
template <typename Body>
int32_t guard_log(const char* function, Body&& body) {
  return guard_host(function, body) == 0 ? 0 : -1;
}

}  // namespace

int32_t acllogRegisterCallback(acllogRecordCallback callbackFunc, void* userData, uint32_t outputLogType,
                               acllogCallbackHandle* callbackHandle) {
  return guard_log(__func__, [&] {
    require(reinterpret_cast<const void*>(callbackFunc), "callbackFunc");
    require(callbackHandle, "callbackHandle");
    check(outputLogType < OUTPUT_TYPE_MAX, Code::kInvalidParam, "outputLogType is {}; less than {} is expected.",
          outputLogType, static_cast<int>(OUTPUT_TYPE_MAX));
    *callbackHandle = add_log_listener(listener_for(callbackFunc, userData, outputLogType));
  });
}

int32_t acllogUnregisterCallback(acllogCallbackHandle callback) {
  return guard_log(__func__, [&] {
    check(remove_log_listener(callback), Code::kInvalidParam, "Callback {} is not registered.", callback);
  });
}

int32_t acllogCheckDebugLevel(int32_t, int32_t logLevel) { return is_written(logLevel) ? 1 : 0; }

void acllogVaList(int32_t moduleId, int32_t level, const char* fmt, va_list list) {
  if (!fmt || !is_written(level)) return;
  guard_host(__func__, [&] {
    logger_of(level).log(*spdlog_level(level), "[module {}] {}", moduleId, format_message(fmt, list));
  });
}

void acllogRecord(int32_t moduleId, int32_t level, const char* fmt, ...) {
  va_list list;
  va_start(list, fmt);
  acllogVaList(moduleId, level, fmt, list);
  va_end(list);
}
