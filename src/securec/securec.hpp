#pragma once

#include <cstddef>

// The functions of the public header are exported.
#pragma GCC visibility push(default)
#include "securec.h"
#pragma GCC visibility pop

namespace aclvk::securec {

/// Returns whether a size is within the limits of the interface.
inline bool is_size(std::size_t size) { return size != 0 && size <= SECUREC_MEM_MAX_LEN; }

/// Returns whether two different ranges of `size` bytes overlap.
bool overlap(const void* one, const void* other, std::size_t size);

}  // namespace aclvk::securec
