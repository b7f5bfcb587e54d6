#include "runtime/process/compile_options.hpp"

#include "base/error.hpp"
#include "base/process_state.hpp"

namespace aclvk::runtime {
namespace {

constexpr const char* kOn = "enable";
constexpr const char* kOff = "disable";

void check_option(std::int32_t option) {
  check(option >= 0 && option < CompileOptions::kCount, Code::kInvalidParam,
        "Option {} of the compiler does not exist; 0 to {} is expected.", option, CompileOptions::kCount - 1);
}

}  // namespace

void CompileOptions::set(std::int32_t option, const std::string& value) {
  check_option(option);
  check(option != kJitCompile || value == kOn || value == kOff, Code::kInvalidParam,
        "ACL_OP_JIT_COMPILE is given \"{}\"; \"{}\" or \"{}\" is expected.", value, kOn, kOff);
  const LockGuard lock(mutex_);
  values_.at(static_cast<std::size_t>(option)) = value;
}

std::optional<std::string> CompileOptions::get(std::int32_t option) const {
  check_option(option);
  const LockGuard lock(mutex_);
  const auto& value = values_.at(static_cast<std::size_t>(option));
  if (!value && option == kJitCompile) return kOff;  // operators are never recompiled for new shapes
  return value;
}

// Not destroyed at exit: destructors of the program may read them.
CompileOptions& compile_options() { return ProcessState<CompileOptions, StateId::kCompileOptions>::get(); }

}  // namespace aclvk::runtime
