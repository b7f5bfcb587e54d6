#include "runtime/context/sys_params.hpp"

#include "base/error.hpp"
#include "base/process_state.hpp"

namespace aclvk::runtime {

void SysParams::set(std::int32_t option, std::int64_t value) {
  const std::int64_t largest = option == kDeterministic ? 3 : 1;
  check(value >= 0 && value <= largest, Code::kParamInvalid, "System option {} is given the value {}; it takes 0..{}.",
        option, value, largest);
  const LockGuard lock(mutex_);
  values_.at(static_cast<std::size_t>(option)) = value;
}

std::int64_t SysParams::get_or_zero(std::int32_t option) const {
  const LockGuard lock(mutex_);
  return values_.at(static_cast<std::size_t>(option)).value_or(0);
}

std::int64_t SysParams::get(std::int32_t option) const {
  const LockGuard lock(mutex_);
  const auto& value = values_.at(static_cast<std::size_t>(option));
  check(value.has_value(), Code::kSysParamNotSet, "System option {} has not been set.", option);
  return *value;
}

// Not destroyed at exit: destructors of the program may read them.
SysParams& process_params() { return ProcessState<SysParams, StateId::kSysParams>::get(); }

}  // namespace aclvk::runtime
