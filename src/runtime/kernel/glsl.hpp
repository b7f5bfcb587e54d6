#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aclvk::runtime {

/// The source of a kernel, for glslangValidator.
struct GlslSource {
  std::string name;  ///< the file name in messages of the compiler
  std::string text;
  std::vector<std::pair<std::string, std::string>> headers{};  ///< names and texts for #include
  std::vector<std::string> options{};                          ///< further options of the compiler
};

struct GlslResult {
  std::vector<std::uint32_t> words;  ///< the SPIR-V module; empty when the source does not compile
  std::string log;                   ///< output of the compiler
};

/// Returns whether the first token of the text, after white space and comments, is #version.
bool looks_like_glsl(std::string_view text);
/// Compiles a compute shader in a child process. Throws kFeatureNotSupported when there is no glslangValidator.
GlslResult compile_glsl(const GlslSource& source);

}  // namespace aclvk::runtime
