#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <string_view>

namespace aclvk::faults {

/// The commands that the layer can let fail: all that return a VkResult and that are called on an object.
enum class Command : std::size_t {
#define COMMAND(name, ...) name,
#define CREATOR COMMAND
#include "commands.def"
#undef CREATOR
#undef COMMAND
  kCount
};

constexpr std::size_t kCommands = static_cast<std::size_t>(Command::kCount);

const char* name_of(Command command);
/// The command with this name, or kCount.
Command find_command(std::string_view name);
/// Whether the specification of the command lists the result.
bool may_answer(Command command, VkResult result);

}  // namespace aclvk::faults
