#include "runtime/fault_injection.hpp"

#include "base/config.hpp"
#include "base/error.hpp"

namespace aclvk::runtime {

bool injects_faults() { return !config().fail_kernel.empty(); }

void inject_fault(const Task& task) {
  const auto* kernel = std::get_if<KernelTask>(&task);
  if (!kernel || kernel->name.find(config().fail_kernel) == std::string_view::npos) return;
  fail(Code::kAicoreException, "{} fails, because ACLVK_FAIL_KERNEL is \"{}\".", kernel->name, config().fail_kernel);
}

}  // namespace aclvk::runtime
