#include "runtime/task/device_work.hpp"

#include "runtime/task/task_row.hpp"
#include "vk_device/pipelines/custom_kernel.hpp"

namespace aclvk::runtime {
namespace {

void record(vk::CommandRecorder& recorder, const KernelTask& kernel) { recorder.dispatch(kernel.dispatch); }
void record(vk::CommandRecorder& recorder, const CopyTask& copy) { recorder.copy(copy.dst, copy.src); }
void record(vk::CommandRecorder& recorder, const Copy2dTask& copy) { recorder.copy_2d(copy.copy); }
void record(vk::CommandRecorder& recorder, const FillTask& fill) { recorder.fill(fill.dst, fill.value); }
void record(vk::CommandRecorder& recorder, const FillWordsTask& fill) { recorder.fill_words(fill.dst, fill.value); }
// A mark has no command; a profile takes timestamps around it.
void record(vk::CommandRecorder&, const MarkTask&) {}

void visit_copy(const vk::BufferRange& dst, const vk::BufferRange& src, const RangeVisitor& visit) {
  visit(dst, "destination", 0);
  visit(src, "source", 0);
}

// An argument block in device memory is memory of the program, as the operands are (docs/adr/0018).
void visit_ranges(const KernelTask& kernel, const RangeVisitor& visit) {
  std::size_t number = 0;
  for (const auto& operand : kernel.dispatch.operands) visit(operand.range, "operand", ++number);
  const auto& custom = kernel.dispatch.custom;
  if (custom && custom->device_block.buffer) visit(custom->device_block, "argument block", 0);
}

void visit_ranges(const CopyTask& copy, const RangeVisitor& visit) { visit_copy(copy.dst, copy.src, visit); }
void visit_ranges(const Copy2dTask& rows, const RangeVisitor& visit) {
  visit_copy(rows.copy.dst, rows.copy.src, visit);
}
void visit_ranges(const FillTask& fill, const RangeVisitor& visit) { visit(fill.dst, "destination", 0); }
void visit_ranges(const FillWordsTask& fill, const RangeVisitor& visit) { visit(fill.dst, "destination", 0); }
void visit_ranges(const ValueWriteTask& write, const RangeVisitor& visit) { visit(write.word, "word", 0); }
void visit_ranges(const ValueWaitTask& wait, const RangeVisitor& visit) { visit(wait.word, "word", 0); }

void visit_ranges(const HostTask& host, const RangeVisitor& visit) {
  if (host.memory) visit(*host.memory, "device memory", 0);
}

void visit_ranges(const LabelSwitchTask& jump, const RangeVisitor& visit) { visit(jump.index, "index", 0); }

void visit_ranges(const StreamSwitchTask& comparison, const RangeVisitor& visit) {
  visit(comparison.left, "left value", 0);
  visit(comparison.right, "right value", 0);
}

}  // namespace

bool is_device_work(const Task& task) { return row_of(task).is_device_work(); }

void record_work(vk::CommandRecorder& recorder, const Task& task) {
  std::visit(
      [&](const auto& kind) {
        if constexpr (kTaskRow<decltype(kind)>.is_device_work()) record(recorder, kind);
      },
      task);
}

void for_each_range(const Task& task, const RangeVisitor& visit) {
  std::visit(
      [&](const auto& kind) {
        if constexpr (kTaskRow<decltype(kind)>.has(kRefersToMemory)) visit_ranges(kind, visit);
      },
      task);
}

}  // namespace aclvk::runtime
