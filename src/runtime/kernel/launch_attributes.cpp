#include "runtime/kernel/launch_attributes.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace aclvk::runtime {
namespace {

// The values of an attribute are 0 to `values` - 1, or any where `values` is 0. `mask` drops the bytes of the first
// word after members of 8 and 16 bits, which a program need not set.
struct Rule {
  std::uint32_t mask;
  std::uint32_t values;
};

Rule rule_of(int id) {
  switch (id) {
    case LaunchAttribute::kScheduling: return {0xFF, 3};
    case LaunchAttribute::kEngine: return {UINT32_MAX, 2};
    case LaunchAttribute::kPrefetch:
    case LaunchAttribute::kDump:
    case LaunchAttribute::kProfiling: return {0xFF, 2};
    case LaunchAttribute::kTimeout: return {0xFFFF, 0};
    default: return {UINT32_MAX, 0};
  }
}

void check_attribute(const LaunchAttribute& attribute) {
  check(attribute.id >= LaunchAttribute::kScheduling && attribute.id <= LaunchAttribute::kProfiling,
        Code::kParamInvalid, "Launch attribute {} is unknown; expected {} to {}.", attribute.id,
        static_cast<int>(LaunchAttribute::kScheduling), static_cast<int>(LaunchAttribute::kProfiling));
  const Rule rule = rule_of(attribute.id);
  const std::uint32_t value = attribute.value[0] & rule.mask;
  check(rule.values == 0 || value < rule.values, Code::kParamInvalid,
        "Launch attribute {} has the value {}; expected 0 to {}.", attribute.id, value, rule.values - 1);
}

}  // namespace

const LaunchAttribute* LaunchAttributes::find(int id) const {
  const auto found = std::find_if(all.begin(), all.end(), [id](const LaunchAttribute& one) { return one.id == id; });
  return found == all.end() ? nullptr : &*found;
}

std::uint32_t LaunchAttributes::word(int id) const {
  const LaunchAttribute* attribute = find(id);
  return attribute ? attribute->value[0] & rule_of(id).mask : 0;
}

void check_attributes(const LaunchAttributes& attributes) {
  for (const LaunchAttribute& attribute : attributes.all) check_attribute(attribute);
  check(!attributes.find(LaunchAttribute::kTimeout) || !attributes.find(LaunchAttribute::kTimeoutUs),
        Code::kParamInvalid, "The launch has a time limit in seconds and one in microseconds; it can have one.");
}

}  // namespace aclvk::runtime
