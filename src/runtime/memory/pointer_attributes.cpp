#include "runtime/memory/pointer_attributes.hpp"

#include "base/host_page.hpp"
#include "runtime/memory/copy.hpp"

namespace aclvk::runtime {

PointerAttributes attributes_of(const void* pointer) {
  // aclrtMemLocationType
  constexpr int kHost = 0;
  constexpr int kDevice = 1;
  constexpr int kUnregistered = 2;
  constexpr int kManaged = 3;
  const auto page_size = static_cast<std::uint32_t>(host_page_bytes());
  const Location location = locate(pointer);
  switch (location.kind) {
    case Location::Kind::kDevice: return {kDevice, location.device, page_size};
    case Location::Kind::kManaged: return {kManaged, location.device, page_size};
    case Location::Kind::kPinned: return {kHost, 0, page_size};
    case Location::Kind::kPageable:
    case Location::Kind::kDead: break;
  }
  return {kUnregistered, 0, page_size};
}

}  // namespace aclvk::runtime
