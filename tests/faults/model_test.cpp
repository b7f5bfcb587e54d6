// Calls that change a model and find no memory: the model is as it was, or can only be destroyed.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "faults/host_allocations.hpp"
#include "support/model_task_fixture.hpp"

namespace aclvk::test {
namespace {

void count_call(void* number) { ++*static_cast<int*>(number); }

/// Two streams for a model that is built, anew for each fault.
class ModelFaults : public ModelTaskTest {
 protected:
  /// Makes each allocation of the call fail once. `story` makes the call in this way, and continues after it.
  void meet_each(const std::function<void()>& story) {
    met = true;
    for (at_ = 1; met && !HasFailure(); ++at_) story();
  }
  aclError with_fault(const std::function<aclError()>& call) {
    HostAllocations::arm(at_);
    const aclError code = call();
    met = HostAllocations::disarm().failed > 0;
    EXPECT_TRUE(met || code == 0) << aclGetRecentErrMsg();
    return code;
  }
  /// The same, and once more when it has failed.
  void try_again(const std::function<aclError()>& call) {
    if (with_fault(call) == 0) return;
    EXPECT_EQ(call(), 0) << aclGetRecentErrMsg();
  }

  void begin_build() {
    for (aclrtStream* stream : {&head, &tail}) {
      ASSERT_EQ(aclrtCreateStreamWithConfig(stream, 0, ACL_STREAM_PERSISTENT), 0);
    }
    ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
    calls = 0;
  }
  void bind(aclrtStream stream) { EXPECT_EQ(aclmdlRIBindStream(model, stream, ACL_MODEL_STREAM_FLAG_HEAD), 0); }
  void call_on_host(aclrtStream stream) { EXPECT_EQ(aclrtLaunchHostFunc(stream, count_call, &calls), 0); }
  /// Runs the model, and ends it.
  void expect_calls(int expected) {
    EXPECT_EQ(aclmdlRIExecute(model, 30000), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(calls, expected) << "allocation " << at_;
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
    for (aclrtStream stream : {head, tail}) EXPECT_EQ(aclrtDestroyStream(stream), 0);
  }

  aclmdlRI model = nullptr;
  aclrtStream head = nullptr;
  aclrtStream tail = nullptr;
  int calls = 0;
  bool met = false;

 private:
  std::uint64_t at_ = 0;
};

TEST_F(ModelFaults, BuildEndThatFailedCanBeCalledAgain) {
  meet_each([&] {
    begin_build();
    bind(head);
    bind(tail);
    call_on_host(head);
    EXPECT_EQ(aclrtMemsetAsync(cell.address(), cell.bytes(), 1, cell.bytes(), tail), 0);
    EXPECT_EQ(aclmdlRIEndTask(model, tail), 0);
    try_again([&] { return aclmdlRIBuildEnd(model, nullptr); });
    expect_calls(1);
  });
}

TEST_F(ModelFaults, StreamThatCouldNotBeBoundKeepsItsTasks) {
  meet_each([&] {
    begin_build();
    for (int i = 0; i < 3; ++i) call_on_host(head);
    try_again([&] { return aclmdlRIBindStream(model, head, ACL_MODEL_STREAM_FLAG_HEAD); });
    EXPECT_EQ(aclmdlRIEndTask(model, head), 0);
    EXPECT_EQ(aclmdlRIBuildEnd(model, nullptr), 0);
    expect_calls(3);
  });
}

TEST_F(ModelFaults, TaskThatCouldNotBeChangedIsAsBeforeOrTheModelDoesNotRun) {
  Cell out, other;
  const char info[] = "about the task";
  meet_each([&] {
    aclmdlRI captured = capture([&] { EXPECT_EQ(add(cell, 1, out, s), 0); });
    aclmdlRITask kernel = only_task(captured);
    aclmdlRITaskParams params = params_of(kernel);
    const auto* before = static_cast<std::byte*>(params.kernelTaskParams.args);
    const std::vector<std::byte> old(before, before + params.kernelTaskParams.argsSize);
    std::vector<std::byte> block = old;
    params.kernelTaskParams.args = block.data();
    params.opInfoPtr = const_cast<char*>(info);
    params.opInfoSize = sizeof(info);
    const void* address = other.address();
    std::byte* at = find_address(params, out.address());
    ASSERT_NE(at, nullptr);
    std::memcpy(at, &address, sizeof(address));
    const aclError code = with_fault([&] { return aclmdlRITaskSetParams(kernel, &params); });
    if (code != 0 && aclmdlRIExecuteAsync(captured, s) == 0) {
      const aclmdlRITaskParams after = params_of(kernel);
      EXPECT_EQ(std::memcmp(after.kernelTaskParams.args, old.data(), old.size()), 0);
      sync(s);
    }
    clear_models();
  });
}

TEST_F(ModelFaults, LaunchThatFailedBlocksNoStream) {
  std::vector<aclrtEvent> events;
  for (int i = 0; i < 2; ++i) events.push_back(new_event());
  aclmdlRI publishes = capture([&] {
    for (aclrtEvent event : events) EXPECT_EQ(aclrtRecordEventWithFlag(event, s, ACL_EVENT_RECORD_EXTERNAL), 0);
  });
  aclmdlRI waits = capture([&] {
    for (aclrtEvent event : events) EXPECT_EQ(aclrtStreamWaitEventWithFlag(s, event, 0, ACL_EVENT_WAIT_EXTERNAL), 0);
  });
  meet_each([&] {
    with_fault([&] { return aclmdlRIExecuteAsync(publishes, s); });
    run(waits, side);
    run(publishes, side);
    aclrtSynchronizeStream(s);  // says what became of the run when the fault met it later than the call
  });
}

/// Words of device memory are written by way of staging memory, which may fail.
class ConditionFaults : private Settings, public ModelFaults {
 protected:
  ConditionFaults() : Settings({{"ACLVK_HOST_VISIBLE", "0"}}) {}

  static std::size_t free_memory() {
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 0);
    return free;
  }
  void make_conditions() {
    meet_each([&] {
      begin(s);
      aclmdlRI captured = model_of(s);
      aclmdlRICondHandle handle = nullptr;
      with_fault(
          [&] { return aclmdlRICondHandleCreate(captured, 1, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, &handle); });
      end(s);
      clear_models();
    });
  }
};

TEST_F(ConditionFaults, ConditionThatCouldNotBeMadeKeepsNoMemory) {
  make_conditions();
  const std::size_t before = free_memory();
  make_conditions();
  EXPECT_EQ(free_memory(), before);
}

}  // namespace
}  // namespace aclvk::test
