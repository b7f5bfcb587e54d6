// acl/acl_rt_compile.h: kernels compiled at run time.
#include <string>

#include "support/kernel_fixture.hpp"

namespace aclvk::test {
namespace {

class Programs : public KernelTest {
 protected:
  void TearDown() override {
    KernelTest::TearDown();
    if (program) {
      EXPECT_EQ(aclrtcDestroyProg(&program), 0);
    }
  }
  void create(const char* source) {
    ASSERT_EQ(aclrtcCreateProg(&program, source, "kernel.comp", 0, nullptr, nullptr), 0) << last_message();
  }
  std::string log() const {
    std::size_t size = 0;
    EXPECT_EQ(aclrtcGetCompileLogSize(program, &size), 0);
    std::string text(size, 'x');
    EXPECT_EQ(aclrtcGetCompileLog(program, text.data()), 0);
    EXPECT_EQ(text.back(), '\0');
    text.pop_back();
    return text;
  }

  aclrtcProg program = nullptr;
};

TEST_F(Programs, CompiledKernelRuns) {
  Cell out;
  EXPECT_EQ(add(load_function(compile(kAddByPointer)), cell, out, 3, s), 0) << last_message();
  sync(s);
  EXPECT_EQ(out.value(), 3);
}

TEST_F(Programs, OptionsReachTheCompiler) {
  const std::string module = compile(R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Out { float value[]; };
layout(push_constant) uniform Arguments { Out target; };
void main() { target.value[gl_GlobalInvocationID.x] = VALUE; }
)",
                                     {"-DVALUE=42.0", "-e", "answer", "--source-entrypoint", "main"});
  EXPECT_EQ(launch(function_of(load(module), "answer"), cell.address(), s), 0) << last_message();
  sync(s);
  EXPECT_EQ(cell.value(), 42);
}

TEST_F(Programs, HeadersAreIncluded) {
  const char* headers[] = {"#define VALUE 17.0\n"};
  const char* names[] = {"lib/value.glsl"};
  ASSERT_EQ(aclrtcCreateProg(&program, R"(#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#include "lib/value.glsl"
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Out { float value[]; };
layout(push_constant) uniform Arguments { Out target; };
void main() { target.value[gl_GlobalInvocationID.x] = VALUE; }
)",
                             nullptr, 1, headers, names),
            0)
      << last_message();
  ASSERT_EQ(aclrtcCompileProg(program, 0, nullptr), 0) << log();
  std::size_t bytes = 0;
  ASSERT_EQ(aclrtcGetBinDataSize(program, &bytes), 0);
  std::string module(bytes, '\0');
  ASSERT_EQ(aclrtcGetBinData(program, module.data()), 0);
  EXPECT_EQ(launch(load_function(module), cell.address(), s), 0) << last_message();
  sync(s);
  EXPECT_EQ(cell.value(), 17);
}

TEST_F(Programs, HeadersStayInsideTheirFolder) {
  const char* headers[] = {"x"};
  for (const char* name : {"../value.glsl", "/tmp/value.glsl", ""}) {
    const char* names[] = {name};
    ASSERT_EQ(aclrtcCreateProg(&program, kAddByPointer, nullptr, 1, headers, names), 0);
    EXPECT_EQ(aclrtcCompileProg(program, 0, nullptr), ACL_ERROR_RT_PARAM_INVALID) << name;
    EXPECT_EQ(aclrtcDestroyProg(&program), 0);
  }
}

TEST_F(Programs, MistakesAreInTheLog) {
  create("#version 460\nvoid main() { mistake(); }\n");
  EXPECT_EQ(aclrtcCompileProg(program, 0, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(log().find("mistake"), std::string::npos) << log();
  EXPECT_NE(log().find("kernel.comp:2"), std::string::npos) << log();
  EXPECT_EQ(log().find("/tmp"), std::string::npos) << log();
  std::size_t size = 0;
  EXPECT_EQ(aclrtcGetBinDataSize(program, &size), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Programs, OtherLanguagesAreRefused) {
  create("__global__ __aicore__ void add() {}");
  EXPECT_EQ(aclrtcCompileProg(program, 0, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(last_message().find("GLSL"), std::string::npos) << last_message();
}

TEST_F(Programs, Names) {
  create(kAddByPointer);
  const char* lowered = nullptr;
  EXPECT_EQ(aclrtcAddNameExpr(program, "main"), 0);
  EXPECT_EQ(aclrtcAddNameExpr(program, "other"), 0);
  EXPECT_EQ(aclrtcGetLoweredName(program, "main", &lowered), ACL_ERROR_RT_PARAM_INVALID) << "not compiled";
  ASSERT_EQ(aclrtcCompileProg(program, 0, nullptr), 0);
  EXPECT_EQ(aclrtcGetLoweredName(program, "main", &lowered), 0) << last_message();
  EXPECT_STREQ(lowered, "main");
  EXPECT_EQ(aclrtcGetLoweredName(program, "other", &lowered), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtcGetLoweredName(program, "never", &lowered), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtcAddNameExpr(program, "late"), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Programs, NullsAndStaleHandles) {
  std::size_t size = 0;
  char byte = 0;
  const char* lowered = nullptr;
  EXPECT_EQ(aclrtcCreateProg(nullptr, "x", "x", 0, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtcCreateProg(&program, nullptr, "x", 0, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtcCreateProg(&program, "x", "x", 1, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtcCreateProg(&program, "x", "x", -1, nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtcCompileProg(nullptr, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  create(kAddByPointer);
  EXPECT_EQ(aclrtcCompileProg(program, 1, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtcGetBinData(program, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtcGetBinDataSize(program, &size), ACL_ERROR_RT_PARAM_INVALID) << "not compiled";
  EXPECT_EQ(aclrtcGetBinData(program, &byte), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtcGetBinDataSize(program, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtcGetCompileLog(program, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtcGetCompileLogSize(nullptr, &size), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtcAddNameExpr(program, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtcGetLoweredName(program, "x", nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtcGetLoweredName(nullptr, "x", &lowered), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(log(), "");
  aclrtcProg stale = program;
  EXPECT_EQ(aclrtcDestroyProg(&program), 0);
  EXPECT_EQ(program, nullptr);
  EXPECT_EQ(aclrtcDestroyProg(&stale), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtcDestroyProg(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtcDestroyProg(&program), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtcCompileProg(stale, 0, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
}

}  // namespace
}  // namespace aclvk::test
