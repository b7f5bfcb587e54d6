// aclprofModelSubscribe: a record for each task of a model's runs, through a pipe.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "support/profile_fixture.hpp"

namespace aclvk::test {
namespace {

class Subscription : public ProfileTest {
 protected:
  void SetUp() override {
    ProfileTest::SetUp();
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(aclprofGetOpDescSize(&record_bytes), 0);
    model = capture([&] {
      EXPECT_EQ(increment(cell, s), 0);
      EXPECT_EQ(
          aclrtMemcpyAsync(other.address(), cell.bytes(), cell.address(), cell.bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, s),
          0);
    });
    id = id_of(model);
    config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &ends[1]);
    ASSERT_NE(config, nullptr) << aclGetRecentErrMsg();
  }
  void TearDown() override {
    EXPECT_EQ(aclprofDestroySubscribeConfig(config), 0);
    close(ends[0]);
    close(ends[1]);
    ProfileTest::TearDown();
  }

  /// The number by which traces name a model.
  std::uint32_t id_of(aclmdlRI of) const {
    const std::string path = folder.path() + "/model.json";
    EXPECT_EQ(aclmdlRIDebugJsonPrint(of, path.c_str(), ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY), 0);
    return strict_parse_file(path).at(0).at("args").at("Model Id");
  }

  /// What comes through the pipe, up to so many records; fewer after a long time.
  std::vector<char> read_records(std::size_t count) const {
    std::vector<char> bytes(count * record_bytes);
    std::size_t got = 0;
    pollfd readable{ends[0], POLLIN, 0};
    while (got < bytes.size() && ::poll(&readable, 1, 30000) > 0) {
      const ssize_t more = read(ends[0], bytes.data() + got, bytes.size() - got);
      if (more <= 0) break;
      got += static_cast<std::size_t>(more);
    }
    bytes.resize(got);
    return bytes;
  }

  const Cell cell;
  const Cell other;
  int ends[2] = {-1, -1};
  std::size_t record_bytes = 0;
  aclmdlRI model = nullptr;
  std::uint32_t id = 0;
  aclprofSubscribeConfig* config = nullptr;
};

TEST_F(Subscription, TellsOfEachTaskOfEachRun) {
  ASSERT_EQ(aclprofModelSubscribe(id, config), 0) << aclGetRecentErrMsg();
  for (int i = 0; i < 3; ++i) run(model, s);
  const std::vector<char> bytes = read_records(6);
  std::uint32_t count = 0;
  ASSERT_EQ(aclprofGetOpNum(bytes.data(), bytes.size(), &count), 0);
  ASSERT_EQ(count, 6u);
  std::uint64_t last_end = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool kernel = i % 2 == 0;
    const std::string type = kernel ? "KERNEL_AIVEC" : "MEMCPY_ASYNC";
    const std::string name = kernel ? "aclnnInplaceAdds" : "MEMCPY_ASYNC";
    std::size_t length = 0;
    EXPECT_EQ(aclprofGetOpTypeLen(bytes.data(), bytes.size(), i, &length), 0);
    EXPECT_EQ(length, type.size() + 1);
    std::string text(length, 'x');
    EXPECT_EQ(aclprofGetOpType(bytes.data(), bytes.size(), i, text.data(), length), 0);
    EXPECT_EQ(text.c_str(), type);
    EXPECT_EQ(aclprofGetOpNameLen(bytes.data(), bytes.size(), i, &length), 0);
    text.assign(length, 'x');
    EXPECT_EQ(aclprofGetOpName(bytes.data(), bytes.size(), i, text.data(), length), 0);
    EXPECT_EQ(text.c_str(), name);
    EXPECT_EQ(aclprofGetOpName(bytes.data(), bytes.size(), i, text.data(), length - 1), ACL_ERROR_INVALID_PARAM);
    const std::uint64_t begin = aclprofGetOpStart(bytes.data(), bytes.size(), i);
    const std::uint64_t end = aclprofGetOpEnd(bytes.data(), bytes.size(), i);
    EXPECT_LE(last_end, begin);
    EXPECT_LE(begin, end);
    EXPECT_EQ(aclprofGetOpDuration(bytes.data(), bytes.size(), i), end - begin);
    EXPECT_EQ(aclprofGetModelId(bytes.data(), bytes.size(), i), id);
    EXPECT_EQ(aclprofGetOpFlag(bytes.data(), bytes.size(), i), ACL_SUBSCRIBE_OP);
    EXPECT_EQ(aclprofGetOpAttriValue(bytes.data(), bytes.size(), i, ACL_SUBSCRIBE_ATTRI_THREADID),
              std::to_string(gettid()));
    last_end = end;
  }
  EXPECT_EQ(aclprofModelUnSubscribe(id), 0);
}

TEST_F(Subscription, TellsNothingOfOthers) {
  const Cell alone;
  aclmdlRI second = capture([&] { EXPECT_EQ(increment(alone, s), 0); });
  ASSERT_EQ(aclprofModelSubscribe(id, config), 0);
  run(second, s);
  EXPECT_EQ(increment(alone, s), 0);
  run(model, s);
  EXPECT_EQ(aclprofModelUnSubscribe(id), 0);
  run(model, s);
  close(ends[1]);
  EXPECT_EQ(read_records(100).size(), 2 * record_bytes);
}

TEST_F(Subscription, WithoutTimesTellsNames) {
  aclprofSubscribeConfig* plain = aclprofCreateSubscribeConfig(0, ACL_AICORE_NONE, &ends[1]);
  ASSERT_EQ(aclprofModelSubscribe(id, plain), 0);
  run(model, s);
  const std::vector<char> bytes = read_records(2);
  ASSERT_EQ(bytes.size(), 2 * record_bytes);
  EXPECT_EQ(aclprofGetOpEnd(bytes.data(), bytes.size(), 0), 0u);
  EXPECT_EQ(aclprofModelUnSubscribe(id), 0);
  EXPECT_EQ(aclprofDestroySubscribeConfig(plain), 0);
}

TEST_F(Subscription, AReaderThatHasGoneBlocksNoStream) {
  ASSERT_EQ(aclprofModelSubscribe(id, config), 0);
  close(ends[0]);
  for (int i = 0; i < 3; ++i) run(model, s);
  EXPECT_EQ(aclprofModelUnSubscribe(id), 0);
  EXPECT_EQ(cell.value(), 3);
}

TEST_F(Subscription, AReaderThatDoesNotReadBlocksNoStream) {
  ASSERT_EQ(aclprofModelSubscribe(id, config), 0);
  for (int i = 0; i < 300; ++i) execute(model, s);  // more than a pipe holds
  sync(s);
  EXPECT_EQ(aclprofModelUnSubscribe(id), 0);
  EXPECT_EQ(cell.value(), 300);
}

TEST_F(Subscription, IsChecked) {
  EXPECT_EQ(aclprofModelSubscribe(id, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofModelSubscribe(id + 1000, config), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofModelUnSubscribe(id), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofModelSubscribe(id, config), 0);
  EXPECT_EQ(aclprofModelSubscribe(id, config), ACL_ERROR_PROF_REPEAT_SUBSCRIBE);
  EXPECT_EQ(init(folder.path()), ACL_ERROR_PROF_API_CONFLICT);
  EXPECT_EQ(aclprofModelUnSubscribe(id), 0);
  EXPECT_EQ(init(folder.path()), 0);
  EXPECT_EQ(aclprofModelSubscribe(id, config), ACL_ERROR_PROF_API_CONFLICT);
  EXPECT_EQ(aclprofFinalize(), 0);
}

TEST_F(Subscription, ConfigurationsAreChecked) {
  int closed = 4711;
  EXPECT_EQ(aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, nullptr), nullptr);
  EXPECT_EQ(aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &closed), nullptr);
  EXPECT_EQ(aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &ends[0]), nullptr) << "the end for reading";
  EXPECT_EQ(aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, reinterpret_cast<void*>(8)), nullptr);
  EXPECT_EQ(aclprofCreateSubscribeConfig(2, ACL_AICORE_NONE, &ends[1]), nullptr);
  EXPECT_EQ(aclprofCreateSubscribeConfig(1, static_cast<aclprofAicoreMetrics>(99), &ends[1]), nullptr);
  EXPECT_EQ(aclprofDestroySubscribeConfig(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofDestroySubscribeConfig(reinterpret_cast<aclprofSubscribeConfig*>(s)), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Subscription, RecordsAreChecked) {
  const std::vector<char> bytes(record_bytes);
  std::uint32_t count = 0;
  std::size_t length = 0;
  char text[4] = {};
  EXPECT_EQ(aclprofGetOpDescSize(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpNum(nullptr, record_bytes, &count), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpNum(bytes.data(), record_bytes, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpNum(bytes.data(), record_bytes - 1, &count), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpNum(bytes.data(), 0, &count), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpTypeLen(bytes.data(), record_bytes, 1, &length), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpTypeLen(bytes.data(), record_bytes, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpNameLen(nullptr, record_bytes, 0, &length), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpType(bytes.data(), record_bytes, 0, nullptr, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpType(bytes.data(), record_bytes, 0, text, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpName(bytes.data(), record_bytes, 7, text, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpStart(nullptr, record_bytes, 0), 0u);
  EXPECT_EQ(aclprofGetOpEnd(bytes.data(), record_bytes, 1), 0u);
  EXPECT_EQ(aclprofGetOpDuration(bytes.data(), 3, 0), 0u);
  EXPECT_EQ(aclprofGetModelId(nullptr, record_bytes, 0), 0u);
  EXPECT_EQ(aclprofGetOpFlag(nullptr, record_bytes, 0), ACL_SUBSCRIBE_NONE);
  EXPECT_EQ(aclprofGetOpAttriValue(bytes.data(), record_bytes, 0, ACL_SUBSCRIBE_ATTRI_NONE), nullptr);
}

}  // namespace
}  // namespace aclvk::test
