#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aclvk::runtime {

/// The source of a kernel, for glslangValidator.
struct GlslSource {
  std::string name;  ///< what its messages call it
  std::string text;
  std::vector<std::pair<std::string, std::string>> headers{};  ///< name and text, for #include
  std::vector<std::string> options{};                          ///< of the compiler
};

struct GlslResult {
  std::vector<std::uint32_t> words;  ///< none: it does not compile
  std::string log;                   ///< what the compiler said
};

/// Whether the text is GLSL: what is no space and no comment begins with #version.
bool looks_like_glsl(std::string_view text);
/// Compiles a compute shader by a child process. Throws kFeatureNotSupported when there is no glslangValidator.
GlslResult compile_glsl(const GlslSource& source);

}  // namespace aclvk::runtime
