#pragma once

#include <cstdarg>
#include <string>

namespace aclvk::api {

/// The formatted message of a program in at most 1024 characters, the mark of a cut one included.
std::string format_message(const char* format, va_list arguments);

}  // namespace aclvk::api
