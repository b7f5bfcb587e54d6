#pragma once

#include <string>

#include "runtime/task/task.hpp"

namespace aclvk::runtime {

/// Returns the name of the task's type in traces and error texts (capture-semantics 16.1).
std::string type_name(const Task& task);

}  // namespace aclvk::runtime
