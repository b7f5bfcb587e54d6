#pragma once

#include <cstddef>
#include <vector>

#include "acl/acl_rt.h"
#include "runtime/memory/memory.hpp"

namespace aclvk::api {

// From what programs pass to memory functions to what the runtime takes.

/// Throws kInvalidParam for 0.
void require_size(std::size_t size);
/// The attributes of a configuration, which may be NULL. kInvalidParam when it counts attributes but has none.
std::vector<runtime::AllocationAttribute> attributes_of(const aclrtMallocConfig* config);

}  // namespace aclvk::api
