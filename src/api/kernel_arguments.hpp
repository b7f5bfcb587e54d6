#pragma once

#include <cstddef>
#include <memory>

#include "acl/acl_rt.h"
#include "runtime/kernel/argument_list.hpp"
#include "runtime/kernel/binary.hpp"
#include "runtime/kernel/function.hpp"

namespace aclvk::api {

// From the public structs of launches to ours.

/// Null for no configuration. kInvalidParam when it has attributes and no array of them.
std::shared_ptr<const runtime::LaunchAttributes> attributes_of(const aclrtLaunchKernelCfg* configuration);
aclrtLaunchKernelAttrValue to_public(const runtime::LaunchAttribute& attribute);

/// The live objects; kInvalidParam for NULL, kInvalidHandle for anything else.
std::shared_ptr<const runtime::Function> function_of(const void* handle, const char* name = "funcHandle");
runtime::BinaryPtr binary_of(const void* handle);
runtime::ArgumentListPtr argument_list_of(const void* handle);

}  // namespace aclvk::api
