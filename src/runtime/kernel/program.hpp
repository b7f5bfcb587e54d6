#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/handle.hpp"
#include "base/mutex.hpp"
#include "runtime/kernel/glsl.hpp"

namespace aclvk::runtime {

/// An aclrtcProg: GLSL that is compiled to SPIR-V at run time. Needs no device. Thread safe.
class Program {
 public:
  explicit Program(GlslSource source) : source_(std::move(source)) {}

  /// Replaces module and log of an earlier compilation. Throws kParamInvalid when the source does not compile; log()
  /// then returns the messages of the compiler.
  void compile(const std::vector<std::string>& options);
  /// Adds a name expression. GLSL does not mangle names: it is the name of an entry point. Throws kParamInvalid after
  /// the compilation.
  void add_name(const std::string& name);
  /// Returns the name, which lives as long as the program. Throws kParamInvalid for a name that was not added or that
  /// the module does not have.
  const char* lowered_name(const std::string& name) const;
  /// Throws kParamInvalid before the compilation.
  std::vector<std::uint32_t> module() const;
  std::string log() const;

 private:
  mutable Mutex mutex_;
  const GlslSource source_;
  std::set<std::string> names_ GUARDED_BY(mutex_);
  std::vector<std::uint32_t> module_ GUARDED_BY(mutex_);
  std::string log_ GUARDED_BY(mutex_);
};

using ProgramHandles = HandleTable<Program, HandleTag::kProgram>;
ProgramHandles& program_handles();

}  // namespace aclvk::runtime
