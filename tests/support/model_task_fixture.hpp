#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {

/// Captured models whose tasks are queried and changed.
class ModelTaskTest : public CaptureTest {
 protected:
  static std::vector<aclrtStream> streams_of(aclmdlRI model) {
    std::uint32_t count = 0;
    EXPECT_EQ(aclmdlRIGetStreams(model, nullptr, &count), 0) << aclGetRecentErrMsg();
    std::vector<aclrtStream> streams(count);
    EXPECT_EQ(aclmdlRIGetStreams(model, streams.data(), &count), 0) << aclGetRecentErrMsg();
    return streams;
  }
  static std::vector<aclmdlRITask> tasks_of(aclrtStream stream) {
    std::uint32_t count = 0;
    EXPECT_EQ(aclmdlRIGetTasksByStream(stream, nullptr, &count), 0) << aclGetRecentErrMsg();
    std::vector<aclmdlRITask> tasks(count);
    EXPECT_EQ(aclmdlRIGetTasksByStream(stream, tasks.data(), &count), 0) << aclGetRecentErrMsg();
    return tasks;
  }
  /// The tasks of the stream on which the capture began.
  static std::vector<aclmdlRITask> tasks_of_origin(aclmdlRI model) { return tasks_of(streams_of(model).at(0)); }
  static aclmdlRITask only_task(aclmdlRI model) {
    const auto tasks = tasks_of_origin(model);
    EXPECT_EQ(tasks.size(), 1u);
    return tasks.at(0);
  }
  static aclmdlRITaskType type_of(aclmdlRITask task) {
    auto type = ACL_MODEL_RI_TASK_DEFAULT;
    EXPECT_EQ(aclmdlRITaskGetType(task, &type), 0) << aclGetRecentErrMsg();
    return type;
  }
  static std::vector<aclmdlRITaskType> types_of(const std::vector<aclmdlRITask>& tasks) {
    std::vector<aclmdlRITaskType> types;
    for (aclmdlRITask task : tasks) types.push_back(type_of(task));
    return types;
  }
  static aclmdlRITaskParams params_of(aclmdlRITask task) {
    aclmdlRITaskParams params{};
    EXPECT_EQ(aclmdlRITaskGetParams(task, &params), 0) << aclGetRecentErrMsg();
    return params;
  }
  /// Returns the position of this device address in the argument block of a kernel, or null.
  static std::byte* find_address(const aclmdlRITaskParams& params, const void* address) {
    auto* block = static_cast<std::byte*>(params.kernelTaskParams.args);
    for (std::size_t at = 0; at + 8 <= params.kernelTaskParams.argsSize; at += 8) {
      if (std::memcmp(block + at, &address, 8) == 0) return block + at;
    }
    return nullptr;
  }
  static aclmdlRITaskParams value_write(const Word& word, std::uint64_t value) {
    aclmdlRITaskParams params{};
    params.type = ACL_MODEL_RI_TASK_VALUE_WRITE;
    params.valueWriteTaskParams = {word.address(), value};
    return params;
  }

  Cell cell;
};

}  // namespace aclvk::test
