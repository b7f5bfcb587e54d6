#pragma once

// The public header, whose functions are exported.
#pragma GCC visibility push(default)
#include "securec.h"
#pragma GCC visibility pop

namespace aclvk::securec {

inline bool is_size(std::size_t size) { return size != 0 && size <= SECUREC_MEM_MAX_LEN; }

/// Whether two memories of so many bytes share some of them without being one.
bool overlap(const void* one, const void* other, std::size_t size);

}  // namespace aclvk::securec
