#pragma once

#include <cstddef>
#include <vector>

#include "acl/acl_rt.h"
#include "runtime/memory/memory.hpp"

namespace aclvk::api {

// Checks and conversions of the arguments of memory functions.

/// Throws kInvalidParam for 0.
void require_size(std::size_t size);
/// Returns the attributes of a configuration, which may be NULL. kInvalidParam when it counts attributes and has no
/// array of them.
std::vector<runtime::AllocationAttribute> attributes_of(const aclrtMallocConfig* config);

}  // namespace aclvk::api
