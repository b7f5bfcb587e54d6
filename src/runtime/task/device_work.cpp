#include "runtime/task/device_work.hpp"

#include "vk_device/pipelines/custom_kernel.hpp"

namespace aclvk::runtime {

bool is_device_work(const Task& task) {
  return std::holds_alternative<KernelTask>(task) || std::holds_alternative<CopyTask>(task) ||
         std::holds_alternative<Copy2dTask>(task) || std::holds_alternative<FillTask>(task) ||
         std::holds_alternative<FillWordsTask>(task) || std::holds_alternative<MarkTask>(task);
}

void record_work(vk::CommandRecorder& recorder, const Task& task) {
  std::visit(Overloaded{
                 [&](const KernelTask& kernel) { recorder.dispatch(kernel.dispatch); },
                 [&](const CopyTask& copy) { recorder.copy(copy.dst, copy.src); },
                 [&](const Copy2dTask& copy) { recorder.copy_2d(copy.copy); },
                 [&](const FillTask& fill) { recorder.fill(fill.dst, fill.value); },
                 [&](const FillWordsTask& fill) { recorder.fill_words(fill.dst, fill.value); },
                 [](const auto&) {},
             },
             task);
}

void for_each_range(const Task& task, const RangeVisitor& visit) {
  const auto copy = [&](const vk::BufferRange& dst, const vk::BufferRange& src) {
    visit(dst, "destination", 0);
    visit(src, "source", 0);
  };
  std::visit(Overloaded{
                 [&](const KernelTask& kernel) {
                   std::size_t number = 0;
                   for (const auto& operand : kernel.dispatch.operands) visit(operand.range, "operand", ++number);
                   const auto& custom = kernel.dispatch.custom;
                   if (custom && custom->device_block.buffer) visit(custom->device_block, "argument block", 0);
                 },
                 [&](const CopyTask& task_copy) { copy(task_copy.dst, task_copy.src); },
                 [&](const Copy2dTask& rows) { copy(rows.copy.dst, rows.copy.src); },
                 [&](const FillTask& fill) { visit(fill.dst, "destination", 0); },
                 [&](const FillWordsTask& fill) { visit(fill.dst, "destination", 0); },
                 [&](const ValueWriteTask& write) { visit(write.word, "word", 0); },
                 [&](const ValueWaitTask& wait) { visit(wait.word, "word", 0); },
                 [&](const HostTask& host) {
                   if (host.memory) visit(*host.memory, "device memory", 0);
                 },
                 [&](const LabelSwitchTask& jump) { visit(jump.index, "index", 0); },
                 [&](const StreamSwitchTask& comparison) {
                   visit(comparison.left, "left value", 0);
                   visit(comparison.right, "right value", 0);
                 },
                 [](const auto&) {},
             },
             task);
}

}  // namespace aclvk::runtime
