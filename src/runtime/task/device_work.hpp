#pragma once

#include <cstddef>
#include <functional>

#include "runtime/task/task.hpp"

namespace aclvk::runtime {

/// Returns true for tasks that become commands in a command buffer; the others are signals or host work.
bool is_device_work(const Task& task);

/// Records a device-work task. Eager execution, replay and task updates all use this function.
void record_work(vk::CommandRecorder& recorder, const Task& task);

/// Receives a memory range, its role in the task ("source"), and the 1-based number of a kernel operand, otherwise 0.
using RangeVisitor = std::function<void(const vk::BufferRange& range, const char* role, std::size_t number)>;
/// Visits all memory that the task refers to, except the argument blocks that the library allocates.
void for_each_range(const Task& task, const RangeVisitor& visit);

}  // namespace aclvk::runtime
