#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "capture/graph/graph.hpp"

namespace aclvk::capture {

class Model;

// Metadata that a program attaches to the tasks that it captures; tools show it (capture-semantics 16.3).

inline constexpr std::size_t kMaxOpInfo = 64 * 1024;

/// Remembers `node` as the last task that the calling thread has captured. `keeps_op_info`: its stream, or the origin
/// stream of the capture, has the attribute CACHE_OP_INFO.
void set_last_task(std::weak_ptr<Model> model, NodeId node, bool keeps_op_info);

/// Attach a copy of the operator info or of the text to the last task that the calling thread has captured. Throw
/// kParamInvalid for a size of 0 or above 64 KiB (4 KiB for the text), and kRuntimeInternal when the thread has
/// captured no task, when that capture has ended, or (operator infos only) when set_last_task() got no `keeps_op_info`.
void store_op_info(const void* info, std::size_t size);
void store_extend_info(const char* text, std::size_t size);

}  // namespace aclvk::capture
