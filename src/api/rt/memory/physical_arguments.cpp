#include "api/rt/memory/physical_arguments.hpp"

#include "api/base/handles.hpp"
#include "base/error.hpp"

namespace aclvk::api {

runtime::PhysicalPtr physical_of(const void* handle) {
  require(handle, "handle");
  runtime::PhysicalPtr memory = runtime::physical_handles().find(handle);
  check(memory != nullptr, Code::kInvalidHandle, "handle ({}) is not live physical memory.", handle);
  return memory;
}

runtime::MemoryLocation location_of(const aclrtMemLocation& location) { return {location.id, location.type}; }

runtime::PhysicalProperties properties_of(const aclrtPhysicalMemProp& prop) {
  return {prop.handleType, prop.allocationType, prop.memAttr, location_of(prop.location), prop.reserve};
}

aclrtPhysicalMemProp property_struct(const runtime::PhysicalProperties& properties) {
  aclrtPhysicalMemProp prop{};
  prop.handleType = static_cast<aclrtMemHandleType>(properties.handle_type);
  prop.allocationType = static_cast<aclrtMemAllocationType>(properties.allocation_type);
  prop.memAttr = static_cast<aclrtMemAttr>(properties.attribute);
  prop.location = {properties.location.id, static_cast<aclrtMemLocationType>(properties.location.type)};
  prop.reserve = properties.reserve;
  return prop;
}

}  // namespace aclvk::api
