#pragma once

#include <memory>

#include "runtime/kernel/function.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

/// Launches a function on a stream. The stream executes the task, captures it, or takes it as a task update.
void launch(Stream& stream, const Function& function, const KernelArguments& arguments, const Grid& grid,
            std::shared_ptr<const LaunchAttributes> attributes);

/// Throws kParamInvalid when a placeholder or its data lies outside the argument block.
void check_placeholders(const KernelArguments& arguments);
/// Builds the argument block from one pointer for each parameter.
std::vector<std::byte> gather_arguments(const Function& function, void* const* arguments);

}  // namespace aclvk::runtime
