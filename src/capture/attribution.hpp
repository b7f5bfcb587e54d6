#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "capture/graph.hpp"

namespace aclvk::capture {

class Model;

// What programs say about the tasks that they capture, for tools (capture-semantics 16.3).

inline constexpr std::size_t kMaxOpInfo = 64 * 1024;

/// The calling thread has captured this task.
void set_last_task(std::weak_ptr<Model> model, NodeId node, bool keeps_op_info);

/// Keep a copy with the last task that the calling thread has captured. Throw kParamInvalid for a size of 0 or above
/// 64 KiB (4 KiB for the text), kRuntimeInternal when there is no such task, its capture has ended, or (operator infos
/// only) its stream does not have the attribute CACHE_OP_INFO.
void store_op_info(const void* info, std::size_t size);
void store_extend_info(const char* text, std::size_t size);

}  // namespace aclvk::capture
