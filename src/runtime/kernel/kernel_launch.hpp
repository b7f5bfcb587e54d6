#pragma once

#include <memory>

#include "runtime/kernel/function.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

/// The launch of a function by its handle, on any stream: run, recorded, or taken as an update.
void launch(Stream& stream, const Function& function, const KernelArguments& arguments, const Grid& grid,
            std::shared_ptr<const LaunchAttributes> attributes);

/// Throws kParamInvalid when a placeholder does not lie inside a block of so many bytes.
void check_placeholders(const KernelArguments& arguments);
/// The argument block out of one pointer for each parameter.
std::vector<std::byte> gather_arguments(const Function& function, void* const* arguments);

}  // namespace aclvk::runtime
