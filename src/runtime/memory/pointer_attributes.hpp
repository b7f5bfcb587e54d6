#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// aclrtPtrAttributes: a location type, the device, the page size.
struct PointerAttributes {
  int location_type = 0;
  std::uint32_t id = 0;
  std::uint32_t page_size = 0;
};

/// Of any address; one that is in no allocation is "unregistered", which is no error.
PointerAttributes attributes_of(const void* pointer);

}  // namespace aclvk::runtime
