#pragma once

#include <cstddef>
#include <functional>

#include "runtime/stream/task.hpp"

namespace aclvk::runtime {

/// True for tasks that become commands in a command buffer; the others are signals or host work.
bool is_device_work(const Task& task);

/// Records a device-work task. Eager execution, replay and update all come here.
void record_work(vk::CommandRecorder& recorder, const Task& task);

/// Takes memory, what it is to the task ("source"), and, for operands of a kernel, which one it is, from 1; else 0.
using RangeVisitor = std::function<void(const vk::BufferRange& range, const char* role, std::size_t number)>;
/// All memory that the task refers to, its own arguments left out.
void for_each_range(const Task& task, const RangeVisitor& visit);

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace aclvk::runtime
