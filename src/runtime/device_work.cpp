#include "runtime/device_work.hpp"

namespace aclvk::runtime {

bool is_device_work(const Task& task) {
  return std::holds_alternative<KernelTask>(task) || std::holds_alternative<CopyTask>(task) ||
         std::holds_alternative<Copy2dTask>(task) || std::holds_alternative<FillTask>(task) ||
         std::holds_alternative<FillWordsTask>(task);
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

}  // namespace aclvk::runtime
