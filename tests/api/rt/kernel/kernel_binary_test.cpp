// acl/rt/binary.h: loading and unloading kernels (runtime-semantics 10.1).
#include <cstdio>
#include <fstream>
#include <string>

#include "support/kernel_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr const char* kNothing = "#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n";

class Binaries : public KernelTest {
 protected:
  static aclError load_code(const std::string& bytes) {
    aclrtBinHandle binary = nullptr;
    const aclError code = aclrtBinaryLoadFromData(bytes.data(), bytes.size(), nullptr, &binary);
    EXPECT_EQ(binary, nullptr);
    return code;
  }
  static aclError load_with(aclrtBinaryLoadOption option) {
    aclrtBinaryLoadOptions options{&option, 1};
    aclrtBinHandle binary = nullptr;
    const std::string source = kNothing;
    const aclError code = aclrtBinaryLoadFromData(source.data(), source.size(), &options, &binary);
    if (binary) {
      EXPECT_EQ(aclrtBinaryUnLoad(binary), 0);
    }
    return code;
  }
  static aclrtBinaryLoadOption option(int type, std::uint32_t value) {
    aclrtBinaryLoadOption made{};
    made.type = static_cast<aclrtBinaryLoadOptionType>(type);
    made.value.isLazyLoad = value;
    return made;
  }
};

TEST_F(Binaries, T219_DescriptionOfNothing) {
  EXPECT_EQ(aclrtCreateBinary(nullptr, 8), nullptr);
  EXPECT_EQ(aclrtDestroyBinary(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Binaries, DescribedBytesAreLoaded) {
  const std::string source = kNothing;
  aclrtBinary description = aclrtCreateBinary(source.data(), source.size());
  ASSERT_NE(description, nullptr);
  aclrtBinHandle binary = nullptr;
  EXPECT_EQ(aclrtBinaryLoad(nullptr, &binary), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryLoad(description, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryLoad(description, &binary), 0) << last_message();
  EXPECT_EQ(aclrtDestroyBinary(description), 0);
  EXPECT_EQ(aclrtDestroyBinary(description), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtBinaryLoad(description, &binary), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtBinaryUnLoad(binary), 0);
}

TEST_F(Binaries, T221_NoBytes) {
  char bytes[4] = {};
  aclrtBinHandle binary = nullptr;
  EXPECT_EQ(aclrtBinaryLoadFromData(bytes, 0, nullptr, &binary), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtBinaryLoadFromData(nullptr, 4, nullptr, &binary), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryLoadFromData(bytes, 4, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Binaries, GarbageIsRefused) {
  EXPECT_EQ(load_code("garbage"), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(last_message().find("docs/custom-kernels.md"), std::string::npos);
  EXPECT_EQ(load_code("x"), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(load_code(std::string(64, '\0')), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Binaries, FormatOfTheVendorIsRefusedWithAdvice) {
  EXPECT_EQ(load_code(std::string("\x7f") + "ELF" + std::string(60, '\0')), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(last_message().find("SPIR-V"), std::string::npos);
}

// Drivers crash on modules like these, so none may get there.
TEST_F(Binaries, DamagedSpirvIsRefused) {
  const std::string module = compile(kAddByPointer);
  EXPECT_EQ(load_code(module.substr(0, 4)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(load_code(module.substr(0, 21)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(load_code(module.substr(0, module.size() / 8 * 4)), ACL_ERROR_RT_PARAM_INVALID);
  for (std::size_t at = 20; at + 4 <= module.size(); at += 4) {
    std::string damaged = module;
    damaged.replace(at, 4, "\xff\xff\xff\xff", 4);
    aclrtBinHandle binary = nullptr;
    if (aclrtBinaryLoadFromData(damaged.data(), damaged.size(), nullptr, &binary) != 0) continue;
    EXPECT_EQ(aclrtBinaryUnLoad(binary), 0);  // a number or a letter of a name was hit
  }
}

TEST_F(Binaries, CapabilitiesThatNothingVouchesForAreRefused) {
  const std::string module = compile(R"(#version 460
#extension GL_EXT_shader_realtime_clock : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uvec2 time; };
void main() { time = clockRealtime2x32EXT(); }
)");
  EXPECT_EQ(load_code(module), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_NE(last_message().find("capability"), std::string::npos) << last_message();
}

TEST_F(Binaries, ImagesAndUniformBuffersAreRefused) {
  EXPECT_EQ(load_code(R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform In { uint x; };
layout(set = 0, binding = 1) buffer Out { uint y; };
void main() { y = x; }
)"),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_NE(last_message().find("uniform buffer"), std::string::npos) << last_message();
}

TEST_F(Binaries, GroupsThatTheDeviceDoesNotHaveAreRefused) {
  EXPECT_EQ(load_code("#version 460\nlayout(local_size_x = 1024, local_size_y = 1024) in;\nvoid main() {}\n"),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(load_code("#version 460\nlayout(local_size_x = 1) in;\nshared uint much[10000000];\n"
                      "void main() { much[gl_WorkGroupID.x] = 1; }\n"),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

// Places in the argument block are numbers of 32 bits, and a driver would be given others than the program meant.
TEST_F(Binaries, BindingsAndOffsetsThatLeave32BitsAreRefused) {
  std::string module = compile(R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 77) buffer Out { uint y; };
void main() { y = 1; }
)");
  // OpDecorate ... Binding 77; no compiler lets through what it becomes.
  const std::size_t at = module.find(std::string("\x21\0\0\0\x4D\0\0\0", 8));
  ASSERT_NE(at, std::string::npos);
  module.replace(at + 4, 4, std::string("\0\0\0\x20", 4));
  EXPECT_EQ(load_code(module), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_NE(last_message().find("binding 536870912"), std::string::npos) << last_message();
  EXPECT_EQ(load_code(R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint y; };
layout(push_constant) uniform Arguments { layout(offset = 2147483632) uint x; };
void main() { y = x; }
)"),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Binaries, AddressesInSharedMemoryCountAsAddresses) {
  load(R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference) buffer Node { Node next; uint value; };
layout(push_constant) uniform Arguments { Node head; };
struct Place { Node node; };
shared Place place;
void main() { place.node = head; place.node.next.value = 1; }
)");
}

TEST_F(Binaries, SourceThatDoesNotCompileIsRefusedWithTheCompilersSentence) {
  EXPECT_EQ(load_code("#version 460\nvoid main() { unknown(); }\n"), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(last_message().find("unknown"), std::string::npos) << last_message();
}

TEST_F(Binaries, SourceNeedsTheCompiler) {
  setenv("PATH", "/nowhere", 1);
  EXPECT_EQ(load_code(kNothing), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_NE(last_message().find("glslangValidator"), std::string::npos) << last_message();
}

TEST_F(Binaries, SpirvNeedsNoCompiler) {
  const std::string module = compile(kAddByPointer);
  setenv("PATH", "/nowhere", 1);
  load(module);
}

TEST_F(Binaries, Files) {
  aclrtBinHandle binary = nullptr;
  EXPECT_EQ(aclrtBinaryLoadFromFile(nullptr, nullptr, &binary), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryLoadFromFile("x", nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryLoadFromFile("/no/such/file", nullptr, &binary), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtBinaryLoadFromFile("/", nullptr, &binary), ACL_ERROR_RT_PARAM_INVALID);
  const std::string path = testing::TempDir() + "aclvk_kernel_file_test.spv";
  std::ofstream(path, std::ios::binary) << compile(kAddByPointer);
  EXPECT_EQ(aclrtBinaryLoadFromFile(path.c_str(), nullptr, &binary), 0) << last_message();
  std::ofstream(path, std::ios::binary) << "garbage";
  aclrtBinHandle other = nullptr;
  EXPECT_EQ(aclrtBinaryLoadFromFile(path.c_str(), nullptr, &other), ACL_ERROR_RT_PARAM_INVALID);
  std::remove(path.c_str());
  EXPECT_EQ(aclrtBinaryUnLoad(binary), 0);
}

TEST_F(Binaries, Options) {
  EXPECT_EQ(load_with(option(ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD, 0)), 0);
  EXPECT_EQ(load_with(option(ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD, 1)), 0);
  EXPECT_EQ(load_with(option(ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD, 2)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(load_with(option(ACL_RT_BINARY_LOAD_OPT_MAGIC, ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE)), 0);
  EXPECT_EQ(load_with(option(ACL_RT_BINARY_LOAD_OPT_MAGIC, 1)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(load_with(option(ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE, 0)), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(load_with(option(0, 0)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(load_with(option(9, 0)), ACL_ERROR_RT_PARAM_INVALID);
  aclrtBinaryLoadOptions none{nullptr, 1};
  aclrtBinHandle binary = nullptr;
  EXPECT_EQ(aclrtBinaryLoadFromData(kNothing, 4, &none, &binary), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Binaries, T222_FunctionsAreFoundByName) {
  aclrtBinHandle binary = load(kNothing);
  aclrtFuncHandle function = nullptr;
  EXPECT_EQ(aclrtBinaryGetFunction(binary, "nope", &function), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(last_message().find("main"), std::string::npos) << last_message();
  EXPECT_EQ(aclrtBinaryGetFunction(binary, nullptr, &function), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryGetFunction(nullptr, "main", &function), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryGetFunction(binary, "main", nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryGetFunction(s, "main", &function), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(aclrtBinaryGetFunction(binary, "main", &function), 0);
  EXPECT_EQ(function_of(binary), function);
}

TEST_F(Binaries, T223_UnloadedBinariesAndTheirFunctionsAreStale) {
  aclrtBinHandle binary = load(kAddByPointer);
  aclrtFuncHandle function = function_of(binary);
  Cell out;
  unload(binary);
  EXPECT_EQ(aclrtBinaryUnLoad(binary), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtBinaryUnLoad(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(add(function, cell, out, 1, s), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtBinaryGetFunction(binary, "main", &function), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Binaries, WhatWasLaunchedOutlivesItsBinary) {
  aclrtBinHandle binary = load(kAddByPointer);
  aclrtFuncHandle function = function_of(binary);
  Cell out;
  {
    BlockedStream blocked(s);
    EXPECT_EQ(add(function, cell, out, 3, s), 0) << last_message();
    unload(binary);
  }
  sync(s);
  EXPECT_EQ(out.value(), 3);
}

TEST_F(Binaries, FunctionsByNumber) {
  aclrtFuncHandle function = nullptr;
  aclrtBinHandle named = load(compile(kNothing, {"-e", "tile_12", "--source-entrypoint", "main"}));
  EXPECT_EQ(aclrtBinaryGetFunctionByEntry(named, 12, &function), 0) << last_message();
  EXPECT_EQ(function, function_of(named, "tile_12"));
  EXPECT_EQ(aclrtBinaryGetFunctionByEntry(named, 0, &function), 0);
  EXPECT_EQ(aclrtBinaryGetFunctionByEntry(named, 1, &function), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtBinaryGetFunctionByEntry(nullptr, 0, &function), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryGetFunctionByEntry(named, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryGetFunctionByEntry(s, 0, &function), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Binaries, LoadingNeedsAContext) {
  on_another_thread([&] { EXPECT_EQ(load_code(kNothing), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(Binaries, LoadingIsAllowedDuringACapture) {
  begin(s);
  load(kNothing);
}

TEST_F(Binaries, PropertiesThatVulkanLacks) {
  aclrtBinHandle binary = load(kNothing);
  void* address = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(aclrtBinaryGetDevAddress(nullptr, &address, &size), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryGetDevAddress(binary, nullptr, &size), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryGetDevAddress(s, &address, &size), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtBinaryGetDevAddress(binary, &address, &size), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtBinaryGetGlobal(binary, nullptr, &address, &size), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinaryGetGlobal(binary, "x", &address, &size), ACL_ERROR_RT_INVALID_SYMBOL);
  EXPECT_EQ(aclrtBinaryGetGlobal(s, "x", &address, &size), ACL_ERROR_RT_INVALID_HANDLE);
  aclrtFuncHandle function = nullptr;
  EXPECT_EQ(aclrtRegisterCpuFunc(binary, "f", nullptr, &function), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtRegisterCpuFunc(binary, "f", "k", &function), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

}  // namespace
}  // namespace aclvk::test
