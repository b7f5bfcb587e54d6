// acl/acl_base_rt.h: half-precision numbers, sizes of data types, data buffers, the log of the program.
#include <cstdarg>
#include <memory>
#include <string>

#include "acl/acl_base.h"
#include "api/acl/log_message.hpp"
#include "api/base/created.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "runtime/half.hpp"
#include "runtime/tensor_desc.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

std::shared_ptr<runtime::DataBuffer> find_buffer(const aclDataBuffer* handle) {
  return runtime::data_buffer_handles().find(handle);
}

void check_live(const std::shared_ptr<runtime::DataBuffer>& buffer, const void* handle) {
  check(buffer != nullptr, Code::kInvalidParam, "dataBuffer {} is not a live data buffer.", handle);
}

spdlog::level::level_enum spdlog_level(aclLogLevel level) {
  switch (level) {
    case ACL_DEBUG: return spdlog::level::debug;
    case ACL_INFO: return spdlog::level::info;
    case ACL_WARNING: return spdlog::level::warn;
    case ACL_ERROR: break;
  }
  return spdlog::level::err;
}

}  // namespace

// Half-precision numbers of the interface have neither infinities nor NaN (runtime-semantics 12.1).
float aclFloat16ToFloat(aclFloat16 value) { return runtime::half_to_float(value); }

aclFloat16 aclFloatToFloat16(float value) { return runtime::float_to_half(value); }

size_t aclDataTypeSize(aclDataType dataType) { return runtime::data_type_size(dataType); }

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return created<aclDataBuffer>(__func__, [&] {
    return runtime::data_buffer_handles().insert(
        std::make_shared<runtime::DataBuffer>(runtime::DataBuffer{data, size}));
  });
}

aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  return guard(__func__, [&] {
    require(dataBuffer, "dataBuffer");
    check_live(runtime::data_buffer_handles().remove(dataBuffer), dataBuffer);
  });
}

aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  return guard(__func__, [&] {
    require(dataBuffer, "dataBuffer");
    const auto buffer = find_buffer(dataBuffer);
    check_live(buffer, dataBuffer);
    *buffer = {data, size};
  });
}

void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  const auto buffer = find_buffer(dataBuffer);
  return buffer ? buffer->data : nullptr;
}

// Truncates to 32 bits, as its type says; V2 does not (runtime-semantics 12.3).
uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return static_cast<uint32_t>(aclGetDataBufferSizeV2(dataBuffer));
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  const auto buffer = find_buffer(dataBuffer);
  return buffer ? buffer->bytes : 0;
}

// The level is checked first, so that messages that are not written cost no formatting.
void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line, const char* fmt, ...) {
  if (!fmt || !log().should_log(spdlog_level(logLevel))) return;
  va_list arguments;
  va_start(arguments, fmt);
  guard_host(__func__, [&] {
    const std::string message = format_message(fmt, arguments);
    log().log(spdlog_level(logLevel), "{}:{} {}: {}", file ? file : "?", line, func ? func : "?", message);
  });
  va_end(arguments);
}
