#include "stories/story.hpp"

#include "acl/acl.h"

namespace aclvk::test {
namespace {

bool is_gone(int code) {
  return code == 0 || code == ACL_ERROR_RT_INVALID_HANDLE || code == ACL_ERROR_RT_PARAM_INVALID ||
         code == ACL_ERROR_INVALID_PARAM;
}

}  // namespace

Outcome Story::finish() {
  while (!ends_.empty()) {
    const End end = std::move(ends_.back());
    ends_.pop_back();
    if (step(end.function(), end.call)) continue;
    const int again = end.function();
    if (!is_gone(again) && outcome_.broken.empty()) {
      outcome_.broken = std::string(end.call) + " cannot be called again: " + std::to_string(again);
    }
  }
  return std::move(outcome_);
}

}  // namespace aclvk::test
