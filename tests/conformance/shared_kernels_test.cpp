// Programs whose threads share what they launch: binaries, functions, and programs that are compiled.
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "support/kernel_fixture.hpp"
#include "support/stress.hpp"

namespace aclvk::test {
namespace {

constexpr int kThreads = 4;

/// The module with another name for its kernel "main", of as many letters.
std::string renamed(std::string module, const std::string& name) {
  const std::string old = "main";
  for (std::size_t at = module.find(old); at != std::string::npos; at = module.find(old, at)) {
    module.replace(at, old.size(), name);
  }
  return module;
}

using SharedKernels = KernelTest;

// The function is made for the first who asks.
TEST_F(SharedKernels, ABinaryGivesAllThreadsTheSameFunction) {
  constexpr int kRounds = 40;
  const std::string module = compile(kAddByPointer);
  std::vector<aclrtBinHandle> binaries;
  for (int round = 0; round < kRounds; ++round) binaries.push_back(load(module));
  std::array<std::vector<aclrtFuncHandle>, kThreads> functions;
  Barrier barrier(kThreads);
  {
    const Crowd crowd(kThreads, [&](int thread) {
      for (aclrtBinHandle binary : binaries) {
        barrier.wait();
        functions[static_cast<std::size_t>(thread)].push_back(function_of(binary));
      }
    });
  }
  for (const auto& given : functions) EXPECT_EQ(given, functions.front());
}

TEST_F(SharedKernels, FunctionsAreTakenFromABinaryThatIsUnloaded) {
  constexpr int kRounds = 20;
  const std::string module = compile(kAddByPointer);
  for (int round = 0; round < kRounds; ++round) {
    aclrtBinHandle binary = load(module);
    Barrier barrier(kThreads);
    const Crowd crowd(kThreads, [&](int thread) {
      barrier.wait();
      if (thread == 0) return unload(binary);
      aclrtFuncHandle function = nullptr;
      const aclError code = aclrtBinaryGetFunction(binary, "main", &function);
      EXPECT_TRUE(code == 0 || code == ACL_ERROR_RT_INVALID_HANDLE) << code;
    });
  }
}

TEST_F(SharedKernels, ThreadsLoadKernelsOfManyNames) {
  constexpr int kRounds = 12;
  const std::string module = compile(kAddByPointer);
  const Crowd crowd(kThreads, [&](int thread) {
    const OwnStream stream;
    const Cell in(2), out;
    for (int round = 0; round < kRounds; ++round) {
      const std::string name = std::to_string(1000 + thread * kRounds + round);
      const std::string own = renamed(module, name);
      aclrtBinHandle binary = nullptr;
      EXPECT_EQ(aclrtBinaryLoadFromData(own.data(), own.size(), nullptr, &binary), 0) << last_message();
      EXPECT_EQ(add(function_of(binary, name.c_str()), in, out, static_cast<float>(round), stream), 0);
      sync(stream);
      EXPECT_EQ(out.value(), static_cast<float>(2 + round));
      EXPECT_EQ(aclrtBinaryUnLoad(binary), 0);
    }
  });
}

/// target[i] = threads of a group
constexpr const char* kGroupSize = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x_id = 7) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Out { float value[]; };
layout(push_constant) uniform Arguments { Out target; };
void main() { target.value[gl_GlobalInvocationID.x] = float(gl_WorkGroupSize.x); }
)";

// Each size of groups, and each place of arguments, is a pipeline of its own.
TEST_F(SharedKernels, OneFunctionIsLaunchedInManyWays) {
  constexpr int kRounds = 6;
  const std::string module = compile(kGroupSize);
  for (int round = 0; round < kRounds; ++round) {
    aclrtFuncHandle function = load_function(module);
    Barrier barrier(2 * kThreads);
    const Crowd crowd(2 * kThreads, [&](int thread) {
      const OwnStream stream;
      const Cell out;
      void* target = out.address();
      const Word arguments(reinterpret_cast<std::uintptr_t>(target));
      const bool in_memory = thread >= kThreads;
      const std::uint32_t size = in_memory ? 1 : 1U << thread;
      barrier.wait();
      if (in_memory) {
        EXPECT_EQ(aclrtLaunchKernel(function, 8, arguments.address(), sizeof(target), stream), 0) << last_message();
      } else {
        EXPECT_EQ(aclrtLaunchSIMTKernelWithHostArgs(function, {8 / size, 1, 1}, {size, 1, 1}, 0, stream, nullptr,
                                                    &target, sizeof(target), nullptr, 0),
                  0)
            << last_message();
      }
      sync(stream);
      EXPECT_EQ(out.value(), static_cast<float>(size));
    });
  }
}

using SharedPrograms = KernelTest;

std::string module_of(aclrtcProg program) {
  std::size_t bytes = 0;
  EXPECT_EQ(aclrtcGetBinDataSize(program, &bytes), 0) << aclGetRecentErrMsg();
  std::string module(bytes, '\0');
  EXPECT_EQ(aclrtcGetBinData(program, module.data()), 0);
  return module;
}

// A query while it is compiled once more returns the result of that.
TEST_F(SharedPrograms, SomeCompileWhatOthersRead) {
  constexpr int kCompilations = 5;
  aclrtcProg program = nullptr;
  ASSERT_EQ(aclrtcCreateProg(&program, kAddByPointer, "kernel.comp", 0, nullptr, nullptr), 0);
  {
    const Crowd crowd(kThreads, [&](int thread) {
      for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(aclrtcAddNameExpr(program, std::to_string(20 * thread + i).c_str()), 0) << last_message();
      }
      EXPECT_EQ(aclrtcAddNameExpr(program, "main"), 0);
    });
  }
  ASSERT_EQ(aclrtcCompileProg(program, 0, nullptr), 0);
  const std::string module = module_of(program);
  std::atomic<int> compiling{2};
  {
    const Crowd crowd(kThreads, [&](int thread) {
      if (thread < 2) {
        for (int i = 0; i < kCompilations; ++i) EXPECT_EQ(aclrtcCompileProg(program, 0, nullptr), 0) << last_message();
        --compiling;
      }
      while (compiling > 0) {
        std::size_t log_bytes = 0;
        const char* name = nullptr;
        EXPECT_EQ(module_of(program), module);
        EXPECT_EQ(aclrtcGetCompileLogSize(program, &log_bytes), 0);
        EXPECT_EQ(aclrtcGetLoweredName(program, "main", &name), 0);
        EXPECT_EQ(aclrtcAddNameExpr(program, "late"), ACL_ERROR_RT_PARAM_INVALID);
      }
    });
  }
  EXPECT_EQ(aclrtcDestroyProg(&program), 0);
}

}  // namespace
}  // namespace aclvk::test
