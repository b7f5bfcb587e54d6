#include "api/rt/memory/memory_arguments.hpp"

#include "api/base/arrays.hpp"
#include "base/error.hpp"

namespace aclvk::api {

void require_size(std::size_t size) {
  check(size != 0, Code::kInvalidParam, "size is 0; at least one byte is expected.");
}

std::vector<runtime::AllocationAttribute> attributes_of(const aclrtMallocConfig* config) {
  std::vector<runtime::AllocationAttribute> attributes;
  if (!config) return attributes;
  check(config->attrs || config->numAttrs == 0, Code::kInvalidParam, "attrs of cfg is NULL; numAttrs is {}.",
        config->numAttrs);
  check_array(config->attrs, config->numAttrs, "attrs", Code::kInvalidParam);
  for (std::size_t i = 0; i < config->numAttrs; ++i) {
    attributes.push_back({config->attrs[i].attr, config->attrs[i].value.deviceId});
  }
  return attributes;
}

}  // namespace aclvk::api
