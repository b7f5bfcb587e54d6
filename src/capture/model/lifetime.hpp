#pragma once

#include "runtime/task/scheduler_mutex.hpp"
#include "vk_device/buffers/buffer.hpp"

namespace aclvk::capture {

class Model;

/// If ACLVK_CHECK_LIFETIME is on: throws kModelExecute when memory that a task of the model refers to has been freed
/// since the task was captured or updated, even if another allocation has reused the bytes. Checks the tasks at the
/// time of the call, not at the time when a queued run starts.
///
/// Programs have to keep the memory that a model refers to alive, and often do not. Without the check nothing crashes,
/// because command buffers keep their VkBuffers alive, but the model reads and writes bytes of another allocation.
void check_lifetime(Model& model) REQUIRES(runtime::scheduler_mutex);

/// Throws kModelExecute when the program has unmapped registered host memory that a task of the model refers to: a CPU
/// driver would crash the process.
void check_registered_memory(const Model& model) REQUIRES(runtime::scheduler_mutex);

/// Returns whether tasks of the model or of its bodies refer to the allocation. Called for each queued run when memory
/// is freed, so the model caches its allocations and the last answer.
bool uses(Model& model, const vk::BufferRange& allocation) REQUIRES(runtime::scheduler_mutex);

}  // namespace aclvk::capture
