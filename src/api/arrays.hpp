#pragma once

#include <cstddef>

#include "base/error.hpp"

namespace aclvk::api {

namespace detail {
void check_bytes(const void* first, std::size_t count, std::size_t element_bytes, const char* name, Code code);
}

/// Throws `code` when so many elements are not memory of this process: the number is not the length of the array then.
/// A few elements are taken on trust, because asking costs a system call.
template <typename Element>
void check_array(const Element* first, std::size_t count, const char* name, Code code = Code::kParamInvalid) {
  detail::check_bytes(first, count, sizeof(Element), name, code);
}

}  // namespace aclvk::api
