#pragma once

#include "commands.hpp"

namespace aclvk::faults {

/// What this call of the command answers: VK_SUCCESS lets it through. Counts it for the armed fault. Thread safe.
VkResult next_answer(Command command);

}  // namespace aclvk::faults
