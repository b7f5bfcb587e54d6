#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/handle.hpp"
#include "runtime/kernel/glsl.hpp"

namespace aclvk::runtime {

/// An aclrtcProg: GLSL that becomes SPIR-V at run time. Needs no device. Thread safe.
class Program {
 public:
  explicit Program(GlslSource source) : source_(std::move(source)) {}

  /// Throws kParamInvalid when it does not compile; log() has all that the compiler said. Each time replaces what the
  /// time before made.
  void compile(const std::vector<std::string>& options);
  /// A name expression of GLSL is the name of an entry point; it stays as it is. Throws kParamInvalid once compiled.
  void add_name(const std::string& name);
  /// Throws kParamInvalid for a name that was not added or that the module does not have. Lives as long as the program.
  const char* lowered_name(const std::string& name) const;
  /// Throws kParamInvalid before it has been compiled.
  std::vector<std::uint32_t> module() const;
  std::string log() const;

 private:
  mutable std::mutex mutex_;
  const GlslSource source_;
  std::set<std::string> names_;
  std::vector<std::uint32_t> module_;
  std::string log_;
};

using ProgramHandles = HandleTable<Program, HandleTag::kProgram>;
ProgramHandles& program_handles();

}  // namespace aclvk::runtime
