#pragma once

#include <string>

#include "runtime/stream/task.hpp"

namespace aclvk::runtime {

/// What the task is called in traces and messages (capture-semantics 16.1).
std::string type_name(const Task& task);

}  // namespace aclvk::runtime
