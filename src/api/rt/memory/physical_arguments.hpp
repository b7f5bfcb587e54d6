#pragma once

#include "acl/acl_rt.h"
#include "runtime/memory/physical_memory.hpp"

namespace aclvk::api {

// Conversions between the public structs of physical memory and those of the runtime.

/// Returns the live memory. kInvalidParam for NULL, kInvalidHandle for anything else.
runtime::PhysicalPtr physical_of(const void* handle);

runtime::MemoryLocation location_of(const aclrtMemLocation& location);
runtime::PhysicalProperties properties_of(const aclrtPhysicalMemProp& prop);
aclrtPhysicalMemProp property_struct(const runtime::PhysicalProperties& properties);

}  // namespace aclvk::api
