#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl_rt_compile.h"
#include "support/model_task_fixture.hpp"

namespace aclvk::test {

/// out[i] = in[i] + by for all threads; the memory is reached through pointers.
constexpr const char* kAddByPointer = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer In { float value[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Out { float value[]; };
layout(push_constant) uniform Arguments { In source; Out target; float by; };
void main() { target.value[gl_GlobalInvocationID.x] = source.value[gl_GlobalInvocationID.x] + by; }
)";

/// out[i] = in[i] + by, where the kernel makes addresses from integers.
constexpr const char* kAddByNumber = R"(#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float value[]; };
layout(push_constant) uniform Arguments { uvec2 source; uvec2 target; float by; };
void main() { Floats(target).value[gl_GlobalInvocationID.x] = Floats(source).value[gl_GlobalInvocationID.x] + by; }
)";

/// out[i] = in[i] + by, with storage buffers.
constexpr const char* kAddByBuffer = R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float source[]; };
layout(set = 0, binding = 1, std430) buffer Out { float target[]; };
layout(push_constant) uniform Arguments { float by; };
void main() { target[gl_GlobalInvocationID.x] = source[gl_GlobalInvocationID.x] + by; }
)";

/// The argument block of the three kernels.
struct AddArguments {
  const void* source;
  void* target;
  float by;
};

/// Kernels of the program's own on streams `s` and `side`.
class KernelTest : public ModelTaskTest {
 protected:
  void TearDown() override {
    ModelTaskTest::TearDown();
    for (aclrtBinHandle binary : binaries_) EXPECT_EQ(aclrtBinaryUnLoad(binary), 0) << aclGetRecentErrMsg();
  }

  aclrtBinHandle load(const std::string& source) {
    aclrtBinHandle binary = nullptr;
    EXPECT_EQ(aclrtBinaryLoadFromData(source.data(), source.size(), nullptr, &binary), 0) << aclGetRecentErrMsg();
    return binaries_.emplace_back(binary);
  }
  void unload(aclrtBinHandle binary) {
    EXPECT_EQ(aclrtBinaryUnLoad(binary), 0);
    for (aclrtBinHandle& known : binaries_) {
      if (known == binary) std::swap(known, binaries_.back());
    }
    binaries_.pop_back();
  }
  static aclrtFuncHandle function_of(aclrtBinHandle binary, const char* name = "main") {
    aclrtFuncHandle function = nullptr;
    EXPECT_EQ(aclrtBinaryGetFunction(binary, name, &function), 0) << aclGetRecentErrMsg();
    return function;
  }
  aclrtFuncHandle load_function(const std::string& source) { return function_of(load(source)); }

  template <typename Arguments>
  static aclError launch(aclrtFuncHandle function, Arguments arguments, aclrtStream stream, std::uint32_t blocks = 1) {
    return aclrtLaunchKernelWithHostArgs(function, blocks, stream, nullptr, &arguments, sizeof(arguments), nullptr, 0);
  }
  static aclError add(aclrtFuncHandle function, const Cell& from, const Cell& to, float by, aclrtStream stream) {
    return launch(function, AddArguments{from.address(), to.address(), by}, stream);
  }
  static std::string last_message() {
    const char* message = aclGetRecentErrMsg();
    return message ? message : "";
  }

 private:
  std::vector<aclrtBinHandle> binaries_;
};

/// Compiles GLSL to SPIR-V.
inline std::string compile(const char* source, std::vector<const char*> options = {}) {
  aclrtcProg program = nullptr;
  EXPECT_EQ(aclrtcCreateProg(&program, source, "kernel.comp", 0, nullptr, nullptr), 0);
  EXPECT_EQ(aclrtcCompileProg(program, static_cast<int>(options.size()), options.data()), 0) << aclGetRecentErrMsg();
  std::size_t bytes = 0;
  EXPECT_EQ(aclrtcGetBinDataSize(program, &bytes), 0);
  std::string module(bytes, '\0');
  EXPECT_EQ(aclrtcGetBinData(program, module.data()), 0);
  EXPECT_EQ(aclrtcDestroyProg(&program), 0);
  return module;
}

}  // namespace aclvk::test
