#include "runtime/failure/fault_injection.hpp"

#include "base/config.hpp"
#include "base/error.hpp"

namespace aclvk::runtime {

bool injects_faults() { return !config().fail_kernel.empty(); }

// ACLVK_FAIL_KERNEL selects every kernel whose name contains it.
bool fails_on_purpose(const Task& task) {
  const auto* kernel = std::get_if<KernelTask>(&task);
  return injects_faults() && kernel && kernel->name.find(config().fail_kernel) != std::string_view::npos;
}

void inject_fault(const Task& task) {
  if (!fails_on_purpose(task)) return;
  fail(Code::kAicoreException, "{} fails, because ACLVK_FAIL_KERNEL is \"{}\".", std::get<KernelTask>(task).name,
       config().fail_kernel);
}

}  // namespace aclvk::runtime
