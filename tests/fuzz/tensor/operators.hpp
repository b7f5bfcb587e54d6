#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aclnn/aclnn_base.h"
#include "tensor/arguments.hpp"

namespace aclvk::fuzz {

/// The result of a first phase.
struct Planned {
  aclnnStatus code = 0;
  std::uint64_t workspace_bytes = 0;
  aclOpExecutor* executor = nullptr;
};

/// An operator that the library has.
struct Operator {
  using Plan = void (*)();
  using Launch = aclnnStatus (*)(void*, std::uint64_t, aclOpExecutor*, aclrtStream);

  std::string name;
  std::uint64_t written = 0;  ///< a bit for each parameter that it calls const and writes all the same
  std::uint16_t number = 0;   ///< from the name, so that inputs keep their meaning when operators are added
  Plan plan = nullptr;
  Launch launch = nullptr;
  Planned (*call)(Plan plan, Arguments& arguments) = nullptr;  ///< calls the plan with arguments of the right types
};

/// The operator whose number comes closest.
const Operator& operator_at(std::uint16_t number);

/// All of them, by number.
const std::vector<Operator>& operators();

}  // namespace aclvk::fuzz
