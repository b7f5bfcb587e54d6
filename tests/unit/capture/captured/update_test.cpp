// Updates neither wait for replays in flight nor leak.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "capture/captured/captured_model.hpp"
#include "capture/captured/task_group.hpp"
#include "ops/executor/handles.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/device/device.hpp"
#include "support/capture_fixture.hpp"

namespace aclvk::capture {
namespace {

using namespace aclvk::test;

/// out = in + 1 as a group, then a wait for `word`, then copy = out + 0.
class UpdateTest : public CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    model = CaptureTest::capture([&] {
      EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
      EXPECT_EQ(add(in, 1, out, s), 0);
      EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
      EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
      EXPECT_EQ(add(out, 0, copy, s), 0);
    });
  }
  void update(aclrtTaskGrp updated, const Cell& to, float by) {
    EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, updated), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(add(in, by, to, side), 0);
    EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
  }
  std::shared_ptr<vk::CommandBuffer> commands_of_the_group() const {
    const Executable& executable = captured_model_of(model)->executable();
    return executable.slices()[executable.slices_of_group(0).at(0)].commands;
  }

  Cell in{10}, out, copy;
  Word word;
  aclmdlRI model = nullptr;
  aclrtTaskGrp group = nullptr;
};

TEST_F(UpdateTest, DoesNotWaitForAReplayInFlightWhichKeepsItsKernel) {
  execute(model, s);
  update(group, out, 5);
  sync(side);
  EXPECT_TRUE(stays_blocked(s));
  word.set(1);
  sync(s);
  EXPECT_EQ(copy.value(), 11);

  run(model, s);
  EXPECT_EQ(copy.value(), 15);
}

// The launch is made by hand: it needs a kernel for cube cores.
TEST_F(UpdateTest, T163_KernelOfAnotherKindOfCoreIs507000AndTheOldOneStays) {
  word.set(1);
  runtime::KernelTask matrices{"matmul", {}, runtime::Core::kCube};
  const auto stream = runtime::stream_handles().find(side);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0);
  try {
    stream->accept(std::move(matrices));
    ADD_FAILURE() << "the launch is accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kRuntimeInternal);
    EXPECT_NE(error.sentence().find("cube"), std::string::npos) << error.sentence();
  }
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), ACL_ERROR_RT_INTERNAL_ERROR);
  run(model, s);
  EXPECT_EQ(copy.value(), 11);
}

TEST_F(UpdateTest, ManyUpdatesDuringOneReplayLeaveTheLastOne) {
  execute(model, s);
  for (int i = 2; i < 50; ++i) update(group, out, static_cast<float>(i));
  word.set(1);
  sync(s);
  EXPECT_EQ(copy.value(), 11);
  run(model, s);
  EXPECT_EQ(copy.value(), 59);
}

TEST_F(UpdateTest, ReplaysInFlightKeepTheirOwnKernels) {
  word.set(1);
  std::vector<std::unique_ptr<Cell>> results;
  for (int i = 0; i < 10; ++i) {
    results.push_back(std::make_unique<Cell>());
    update(group, *results.back(), static_cast<float>(i));
    execute(model, s);
  }
  sync(s);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)]->value(), 10.0F + static_cast<float>(i));
}

TEST_F(UpdateTest, OldCommandsGoWhenTheReplayIsOver) {
  word.set(1);
  const std::weak_ptr<vk::CommandBuffer> old = commands_of_the_group();
  execute(model, s);
  update(group, out, 5);
  run(model, s);
  runtime::open_devices()[0]->gpu().collect();
  EXPECT_TRUE(old.expired());
}

/// 20 groups that are updated and replayed repeatedly.
class SteadyState : public UpdateTest {
 protected:
  static constexpr std::size_t kGroups = 20;

  void SetUp() override {
    UpdateTest::SetUp();
    groups.resize(kGroups);
    for (std::size_t i = 0; i < kGroups; ++i) outs.push_back(std::make_unique<Cell>());
    layers = CaptureTest::capture([&] {
      for (std::size_t i = 0; i < kGroups; ++i) {
        EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
        EXPECT_EQ(add(in, 1, *outs[i], s), 0);
        EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &groups[i]), 0);
      }
    });
  }
  void steps(int count) {
    for (int step = 0; step < count; ++step) {
      for (std::size_t i = 0; i < kGroups; ++i) update(groups[i], *outs[i], static_cast<float>(step));
      run(layers, s);
    }
    runtime::open_devices()[0]->gpu().collect();
  }
  static std::uint64_t created_objects() { return runtime::open_devices()[0]->gpu().created_objects(); }
  static std::uint64_t used_bytes() { return runtime::open_devices()[0]->memory().used_bytes(); }
  static std::size_t live_handles() {
    return model_handles().all().size() + task_group_handles().all().size() + ops::executor_handles().all().size();
  }

  std::vector<aclrtTaskGrp> groups;
  std::vector<std::unique_ptr<Cell>> outs;
  aclmdlRI layers = nullptr;
};

TEST_F(SteadyState, NeitherMemoryNorHandlesGrow) {
  steps(20);
  const std::uint64_t bytes = used_bytes();
  const std::size_t handles = live_handles();
  steps(200);
  EXPECT_EQ(used_bytes(), bytes);
  EXPECT_EQ(live_handles(), handles);
  EXPECT_EQ(outs.back()->value(), 10 + 199);
}

TEST_F(SteadyState, UpdatesAndReplaysCreateNoVulkanObjects) {
  steps(20);
  const std::uint64_t objects = created_objects();
  steps(1000);
  EXPECT_EQ(created_objects(), objects);
}

TEST_F(SteadyState, RecapturesLeakNothing) {
  const auto recapture = [&] {
    aclmdlRI once = CaptureTest::capture([&] {
      for (int i = 0; i < 10; ++i) EXPECT_EQ(add(in, 1, out, s), 0);
    });
    run(once, s);
    ASSERT_EQ(aclmdlRIDestroy(once), 0);
    destroyed(once);
  };
  for (int i = 0; i < 10; ++i) recapture();
  runtime::open_devices()[0]->gpu().collect();
  const std::uint64_t bytes = used_bytes();
  const std::uint64_t objects = created_objects();
  const std::size_t handles = live_handles();
  for (int i = 0; i < 200; ++i) recapture();
  runtime::open_devices()[0]->gpu().collect();
  EXPECT_EQ(created_objects(), objects);
  EXPECT_EQ(used_bytes(), bytes);
  EXPECT_EQ(live_handles(), handles);
}

}  // namespace
}  // namespace aclvk::capture
