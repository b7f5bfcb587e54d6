#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// aclrtPtrAttributes.
struct PointerAttributes {
  int location_type = 0;
  std::uint32_t id = 0;
  std::uint32_t page_size = 0;
};

/// Returns the attributes of any address. One outside of all allocations has the type "unregistered", which is no
/// error.
PointerAttributes attributes_of(const void* pointer);

}  // namespace aclvk::runtime
