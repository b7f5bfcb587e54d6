// A program's own kernels in captured models: replayed, updated, looked at and changed.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/kernel_fixture.hpp"

namespace aclvk::test {
namespace {

std::string trace_of(aclmdlRI model) {
  const std::string path = testing::TempDir() + "aclvk_kernel_capture_test_" + std::to_string(::getpid()) + ".json";
  EXPECT_EQ(aclmdlRIDebugJsonPrint(model, path.c_str(), ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE), 0) << aclGetRecentErrMsg();
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::remove(path.c_str());
  return text;
}

struct KernelForm {
  const char* name;
  const char* source;
};

class CapturedKernels : public KernelTest, public testing::WithParamInterface<KernelForm> {
 protected:
  void SetUp() override {
    KernelTest::SetUp();
    binary = load(GetParam().source);
    function = function_of(binary);
  }
  aclmdlRI capture_add(float by) {
    return capture([&] { EXPECT_EQ(add(function, cell, out, by, s), 0) << last_message(); });
  }

  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle function = nullptr;
  Cell out;
};

INSTANTIATE_TEST_SUITE_P(All, CapturedKernels,
                         testing::Values(KernelForm{"Pointer", kAddByPointer}, KernelForm{"Number", kAddByNumber},
                                         KernelForm{"Buffer", kAddByBuffer}),
                         [](const auto& form) { return form.param.name; });

TEST_P(CapturedKernels, RunAtEachReplay) {
  aclmdlRI model = capture_add(2);
  EXPECT_EQ(out.value(), 0);
  for (int i = 0; i < 3; ++i) {
    cell.set(static_cast<float>(i));
    run(model, s);
    EXPECT_EQ(out.value(), static_cast<float>(i) + 2);
  }
}

TEST_P(CapturedKernels, OrderIsThatOfTheGraph) {
  aclmdlRI model = capture([&] {
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(add(function, cell, out, 1, s), 0);
      EXPECT_EQ(increment(out, s), 0);
      EXPECT_EQ(
          aclrtMemcpyAsync(cell.address(), cell.bytes(), out.address(), out.bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, s),
          0);
    }
  });
  execute(model, s);
  run(model, s);
  EXPECT_EQ(cell.value(), 80);
}

TEST_P(CapturedKernels, OutliveTheirBinary) {
  aclmdlRI model = capture_add(4);
  unload(binary);
  run(model, s);
  EXPECT_EQ(out.value(), 4);
  aclmdlRITask task = only_task(model);
  aclmdlRITaskParams params = params_of(task);
  EXPECT_NE(params.kernelTaskParams.funcHandle, function) << "that one is stale";
  EXPECT_EQ(aclmdlRITaskSetParams(task, &params), 0) << last_message();
  EXPECT_EQ(aclmdlRIUpdate(model), 0) << last_message();
  cell.set(1);
  run(model, s);
  EXPECT_EQ(out.value(), 5);
}

TEST_P(CapturedKernels, GroupsAreUpdatedByLaunchingAgain) {
  aclrtTaskGrp group = nullptr;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(add(function, cell, out, 1, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  });
  run(model, s);
  EXPECT_EQ(out.value(), 1);
  Cell other;
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0);
  EXPECT_EQ(add(function, cell, other, 30, side), 0) << last_message();
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0) << last_message();
  sync(side);
  run(model, s);
  EXPECT_EQ(out.value(), 1);
  EXPECT_EQ(other.value(), 30);
}

TEST_P(CapturedKernels, AnOperatorMayTakeTheirPlaceInAGroup) {
  aclrtTaskGrp group = nullptr;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(add(function, cell, out, 1, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  });
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0);
  EXPECT_EQ(increment(out, side, 7), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0) << last_message();
  sync(side);
  run(model, s);
  EXPECT_EQ(out.value(), 7);
}

TEST_P(CapturedKernels, TaskShowsItsFunctionAndItsArguments) {
  aclmdlRI model = capture_add(2);
  aclmdlRITask task = only_task(model);
  EXPECT_EQ(type_of(task), ACL_MODEL_RI_TASK_KERNEL);
  const auto kernel = params_of(task).kernelTaskParams;
  EXPECT_EQ(kernel.funcHandle, function);
  EXPECT_EQ(kernel.isHostArgs, 1u);
  EXPECT_EQ(kernel.numBlocks, 1u);
  ASSERT_EQ(kernel.argsSize, sizeof(AddArguments));
  AddArguments arguments{};
  std::memcpy(&arguments, kernel.args, sizeof(arguments));
  EXPECT_EQ(arguments.source, cell.address());
  EXPECT_EQ(arguments.target, out.address());
  EXPECT_EQ(arguments.by, 2);
}

TEST_P(CapturedKernels, ParametersOfATaskCanBeSet) {
  Cell many(3, 16);
  Cell target(0, 16);
  aclmdlRI model = capture_add(2);
  aclmdlRITask task = only_task(model);
  aclmdlRITaskParams params = params_of(task);
  AddArguments arguments{many.address(), target.address(), 10};
  params.kernelTaskParams.args = &arguments;
  params.kernelTaskParams.argsSize = sizeof(arguments);
  params.kernelTaskParams.numBlocks = 2;
  EXPECT_EQ(aclmdlRITaskSetParams(task, &params), 0) << last_message();
  EXPECT_EQ(aclmdlRIUpdate(model), 0) << last_message();
  run(model, s);
  EXPECT_EQ(target.value(), 13);
  EXPECT_EQ(out.value(), 0);
}

TEST_P(CapturedKernels, BadParametersMakeTheModelFaulty) {
  aclmdlRI model = capture_add(2);
  aclmdlRITask task = only_task(model);
  aclmdlRITaskParams params = params_of(task);
  params.kernelTaskParams.argsSize = 4;
  EXPECT_EQ(aclmdlRITaskSetParams(task, &params), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_EXECUTE);
}

TEST_P(CapturedKernels, RefusedLaunchDoesNotSpoilTheCapture) {
  begin(s);
  EXPECT_EQ(launch(function, std::uint32_t{1}, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(add(function, cell, out, 5, s), 0);
  run(end(s), s);
  EXPECT_EQ(out.value(), 5);
}

TEST_P(CapturedKernels, BranchesJoin) {
  Cell left;
  Cell right;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    order(s, side);
    EXPECT_EQ(add(function, cell, left, 10, s), 0);
    EXPECT_EQ(add(function, cell, right, 20, side), 0);
    order(side, s);
    EXPECT_EQ(add(function, right, out, 100, s), 0);
  });
  run(model, s);
  EXPECT_EQ(left.value(), 11);
  EXPECT_EQ(out.value(), 121);
}

TEST_P(CapturedKernels, AreNamedInTraces) {
  const std::string text = trace_of(capture_add(2));
  EXPECT_NE(text.find("\"name\":\"main\""), std::string::npos) << text;
  EXPECT_NE(text.find("KERNEL_AIVEC"), std::string::npos) << text;
  EXPECT_NE(text.find("\"Kernel Args Size\":24"), std::string::npos) << text;
  EXPECT_EQ(text.find("Schem Mode"), std::string::npos) << text;
}

class CapturedLaunches : public KernelTest {
 protected:
  Cell out;
};

// The block stays where it is: each replay reads it anew.
TEST_F(CapturedLaunches, DeviceArgumentsAreReadAtEachReplay) {
  aclrtFuncHandle function = load_function(kAddByPointer);
  void* block = nullptr;
  ASSERT_EQ(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  const auto write = [&](float by) {
    const AddArguments arguments{cell.address(), out.address(), by};
    EXPECT_EQ(aclrtMemcpy(block, 64, &arguments, sizeof(arguments), ACL_MEMCPY_HOST_TO_DEVICE), 0);
  };
  aclmdlRI model =
      capture([&] { EXPECT_EQ(aclrtLaunchKernel(function, 1, block, sizeof(AddArguments), s), 0) << last_message(); });
  write(5);
  run(model, s);
  EXPECT_EQ(out.value(), 5);
  write(6);
  run(model, s);
  EXPECT_EQ(out.value(), 6);
  aclmdlRITaskParams params = params_of(only_task(model));
  EXPECT_EQ(params.kernelTaskParams.args, block);
  EXPECT_EQ(params.kernelTaskParams.isHostArgs, 0u);
  EXPECT_EQ(params.kernelTaskParams.argsSize, sizeof(AddArguments));
  EXPECT_EQ(aclmdlRITaskSetParams(only_task(model), &params), 0) << last_message();
  EXPECT_EQ(aclmdlRIUpdate(model), 0);
  write(7);
  run(model, s);
  EXPECT_EQ(out.value(), 7);
  clear_models();
  EXPECT_EQ(aclrtFree(block), 0);
}

TEST_F(CapturedLaunches, PlaceholderDataBelongsToTheModel) {
  aclrtFuncHandle function = load_function(kAddByPointer);
  struct {
    AddArguments arguments;
    float values[8];
  } block{{nullptr, out.address(), 1}, {1, 1, 1, 1, 1, 1, 1, 1}};
  aclrtPlaceHolderInfo placeholder{0, sizeof(AddArguments)};
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtLaunchKernelWithHostArgs(function, 1, s, nullptr, &block, sizeof(block), &placeholder, 1), 0)
        << last_message();
  });
  block = {};
  run(model, s);
  EXPECT_EQ(out.value(), 2);
  aclmdlRITask task = only_task(model);
  aclmdlRITaskParams params = params_of(task);
  EXPECT_EQ(aclmdlRITaskSetParams(task, &params), 0) << last_message();
  EXPECT_EQ(aclmdlRIUpdate(model), 0);
  out.set(0);
  run(model, s);
  EXPECT_EQ(out.value(), 2) << "a task that is set to what it was does what it did";
}

TEST_F(CapturedLaunches, AttributesOfATask) {
  aclrtFuncHandle function = load_function(kAddByPointer);
  aclrtLaunchKernelAttr scheduling{};
  scheduling.id = ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE;
  scheduling.value.schemMode = 1;
  aclrtLaunchKernelCfg cfg{&scheduling, 1};
  AddArguments arguments{cell.address(), out.address(), 1};
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtLaunchKernelWithHostArgs(function, 1, s, &cfg, &arguments, sizeof(arguments), nullptr, 0), 0);
  });
  aclmdlRITask task = only_task(model);
  aclrtLaunchKernelAttrValue value{};
  EXPECT_EQ(aclmdlRIKernelTaskGetAttribute(task, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, &value), 0) << last_message();
  EXPECT_EQ(value.schemMode, 1);
  EXPECT_EQ(aclmdlRIKernelTaskGetAttribute(task, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT, &value), 0);
  EXPECT_EQ(value.timeout, 0);
  aclmdlRITaskParams params = params_of(task);
  scheduling.value.schemMode = 2;
  params.kernelTaskParams.cfg = &cfg;
  EXPECT_EQ(aclmdlRITaskSetParams(task, &params), 0) << last_message();
  EXPECT_EQ(aclmdlRIKernelTaskGetAttribute(task, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, &value), 0);
  EXPECT_EQ(value.schemMode, 2);
  EXPECT_EQ(aclmdlRIUpdate(model), 0);
}

// capture-semantics 16.1: kernels have a schedule mode where one was set, between their blocks and their arguments.
TEST_F(CapturedLaunches, TracesHaveTheScheduleMode) {
  aclrtFuncHandle function = load_function(kAddByPointer);
  aclrtLaunchKernelAttr scheduling{};
  scheduling.id = ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE;
  scheduling.value.schemMode = 2;
  aclrtLaunchKernelCfg cfg{&scheduling, 1};
  AddArguments arguments{cell.address(), out.address(), 1};
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtLaunchKernelWithHostArgs(function, 1, s, &cfg, &arguments, sizeof(arguments), nullptr, 0), 0);
  });
  const std::string text = trace_of(model);
  EXPECT_NE(text.find("\"Numblocks\":1,\"Schem Mode\":2,\"Kernel Args\""), std::string::npos) << text;
}

TEST_F(CapturedLaunches, BoundStreamsKeepThem) {
  aclrtFuncHandle function = load_function(kAddByPointer);
  aclrtStream bound = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&bound, 0, ACL_STREAM_PERSISTENT), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(model, bound, 0), 0);
  EXPECT_EQ(add(function, cell, out, 3, bound), 0) << last_message();
  ASSERT_EQ(aclmdlRIEndTask(model, bound), 0);
  ASSERT_EQ(aclmdlRIBuildEnd(model, nullptr), 0);
  EXPECT_EQ(out.value(), 0);
  EXPECT_EQ(aclmdlRIExecute(model, -1), 0) << last_message();
  EXPECT_EQ(out.value(), 3);
  EXPECT_EQ(aclmdlRIUnbindStream(model, bound), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  EXPECT_EQ(aclrtDestroyStream(bound), 0);
}

}  // namespace
}  // namespace aclvk::test
