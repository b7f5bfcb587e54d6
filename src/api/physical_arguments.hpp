#pragma once

#include "acl/acl_rt.h"
#include "runtime/memory/physical_memory.hpp"

namespace aclvk::api {

// From what programs pass to functions of physical memory to what the runtime takes, and back.

/// The live memory; kInvalidParam for NULL, kInvalidHandle for anything else.
runtime::PhysicalPtr physical_of(const void* handle);

runtime::MemoryLocation location_of(const aclrtMemLocation& location);
runtime::PhysicalProperties properties_of(const aclrtPhysicalMemProp& prop);
aclrtPhysicalMemProp property_struct(const runtime::PhysicalProperties& properties);

}  // namespace aclvk::api
