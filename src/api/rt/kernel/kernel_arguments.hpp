#pragma once

#include <cstddef>
#include <memory>

#include "acl/acl_rt.h"
#include "runtime/kernel/argument_list.hpp"
#include "runtime/kernel/binary.hpp"
#include "runtime/kernel/function.hpp"

namespace aclvk::api {

// Conversions between the public structs of launches and those of the runtime.

/// Null for no configuration. kInvalidParam when it counts attributes and has no array of them.
std::shared_ptr<const runtime::LaunchAttributes> attributes_of(const aclrtLaunchKernelCfg* configuration);
aclrtLaunchKernelAttrValue to_public(const runtime::LaunchAttribute& attribute);

/// Return the live object. kInvalidParam for NULL, kInvalidHandle for anything else.
std::shared_ptr<const runtime::Function> function_of(const void* handle, const char* name = "funcHandle");
runtime::BinaryPtr binary_of(const void* handle);
runtime::ArgumentListPtr argument_list_of(const void* handle);

}  // namespace aclvk::api
