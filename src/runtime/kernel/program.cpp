#include "runtime/kernel/program.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/process_state.hpp"
#include "vk_device/modules/module_reflection.hpp"

namespace aclvk::runtime {

void Program::compile(const std::vector<std::string>& options) {
  const LockGuard lock(mutex_);
  GlslSource source = source_;
  source.options = options;
  module_.clear();
  log_.clear();
  check(looks_like_glsl(source.text), Code::kParamInvalid,
        "The program {} is no GLSL: that begins with #version; docs/custom-kernels.md tells how to write a kernel.",
        source.name);
  GlslResult result = compile_glsl(source);
  module_ = std::move(result.words);
  log_ = std::move(result.log);
  check(!module_.empty(), Code::kParamInvalid, "The program {} does not compile; aclrtcGetCompileLog tells why.",
        source.name);
}

void Program::add_name(const std::string& name) {
  const LockGuard lock(mutex_);
  check(module_.empty(), Code::kParamInvalid, "The name {} cannot be added: the program {} has been compiled.", name,
        source_.name);
  names_.insert(name);
}

// As nvrtcGetLoweredName, which a program calls to find a kernel by its name expression.
const char* Program::lowered_name(const std::string& name) const {
  const LockGuard lock(mutex_);
  check(!module_.empty(), Code::kParamInvalid, "The program {} has not been compiled.", source_.name);
  const auto known = names_.find(name);
  check(known != names_.end(), Code::kParamInvalid, "The name {} was not added to the program {}.", name, source_.name);
  const std::vector<std::string> kernels = vk::kernel_names(module_);
  check(std::find(kernels.begin(), kernels.end(), name) != kernels.end(), Code::kParamInvalid,
        "The program {} has no kernel {}; it has {}.", source_.name, name, kernels.empty() ? "none" : kernels[0]);
  return known->c_str();
}

std::vector<std::uint32_t> Program::module() const {
  const LockGuard lock(mutex_);
  check(!module_.empty(), Code::kParamInvalid, "The program {} has not been compiled.", source_.name);
  return module_;
}

std::string Program::log() const {
  const LockGuard lock(mutex_);
  return log_;
}

ProgramHandles& program_handles() { return ProcessState<ProgramHandles, StateId::kProgramHandles>::get(); }

}  // namespace aclvk::runtime
