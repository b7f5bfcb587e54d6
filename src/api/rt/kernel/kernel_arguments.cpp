#include "api/rt/kernel/kernel_arguments.hpp"

#include <cstring>

#include "api/base/arrays.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"

namespace aclvk::api {

std::shared_ptr<const runtime::LaunchAttributes> attributes_of(const aclrtLaunchKernelCfg* configuration) {
  if (!configuration || configuration->numAttrs == 0) return nullptr;
  check(configuration->attrs != nullptr, Code::kInvalidParam, "attrs is NULL; numAttrs is {}.",
        configuration->numAttrs);
  check_array(configuration->attrs, configuration->numAttrs, "attrs", Code::kInvalidParam);
  auto attributes = std::make_shared<runtime::LaunchAttributes>();
  for (std::size_t i = 0; i < configuration->numAttrs; ++i) {
    const aclrtLaunchKernelAttr& given = configuration->attrs[i];
    runtime::LaunchAttribute attribute{static_cast<int>(given.id), {}};
    static_assert(sizeof(attribute.value) == sizeof(given.value));
    std::memcpy(attribute.value.data(), &given.value, sizeof(given.value));
    attributes->all.push_back(attribute);
  }
  return attributes;
}

aclrtLaunchKernelAttrValue to_public(const runtime::LaunchAttribute& attribute) {
  aclrtLaunchKernelAttrValue value{};
  std::memcpy(&value, attribute.value.data(), sizeof(value));
  return value;
}

std::shared_ptr<const runtime::Function> function_of(const void* handle, const char* name) {
  require(handle, name);
  auto function = runtime::function_handles().find(handle);
  check(function != nullptr, Code::kInvalidHandle, "{} ({}) is not a live function.", name, handle);
  return function;
}

runtime::BinaryPtr binary_of(const void* handle) {
  require(handle, "binHandle");
  runtime::BinaryPtr binary = runtime::binary_handles().find(handle);
  check(binary != nullptr, Code::kInvalidHandle, "binHandle ({}) is not a live binary.", handle);
  return binary;
}

runtime::ArgumentListPtr argument_list_of(const void* handle) {
  require(handle, "argsHandle");
  runtime::ArgumentListPtr list = runtime::find_argument_list(handle);
  check(list != nullptr, Code::kInvalidHandle, "argsHandle ({}) is not a live list of arguments.", handle);
  return list;
}

}  // namespace aclvk::api
