#pragma once

#include <cstddef>

#include "base/error.hpp"

namespace aclvk::api {

namespace detail {
void check_bytes(const void* first, std::size_t count, std::size_t element_bytes, const char* name, Code code);
}

/// Throws `code` when the array is not readable memory of this process: a program has passed a wrong number. Arrays of
/// up to 4096 bytes are not checked, because the check is a system call.
template <typename Element>
void check_array(const Element* first, std::size_t count, const char* name, Code code = Code::kParamInvalid) {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements may be pointers.
  detail::check_bytes(first, count, sizeof(Element), name, code);
}

}  // namespace aclvk::api
