#pragma once

#include "runtime/task.hpp"

namespace aclvk::runtime {

/// True for tasks that become commands in a command buffer; the others are signals or host work.
bool is_device_work(const Task& task);

/// Records a device-work task. Eager execution, replay and update all come here.
void record_work(vk::CommandRecorder& recorder, const Task& task);

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace aclvk::runtime
