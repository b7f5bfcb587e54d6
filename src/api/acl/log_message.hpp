#pragma once

#include <cstdarg>
#include <string>

namespace aclvk::api {

/// Returns the formatted message, cut to 1024 characters including the mark "...[truncated]" (runtime-semantics 12.7).
std::string format_message(const char* format, va_list arguments);

}  // namespace aclvk::api
