// Profiles: all threads write into one, and all of them begin and end profiles and subscriptions.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "support/profile_fixture.hpp"
#include "support/stress.hpp"
#include "support/watchdog.hpp"

namespace aclvk::test {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 12;

class ProfileThreads : public ProfileTest {
  const Watchdog watchdog_{std::chrono::seconds(100), "A profile does not come to its end."};
};

/// A name for ranges and marks, to the end of the scope.
class Stamp {
 public:
  explicit Stamp(const std::string& text) {
    EXPECT_EQ(aclprofSetStampTraceMessage(stamp_, text.c_str(), static_cast<std::uint32_t>(text.size())), 0);
  }
  ~Stamp() { aclprofDestroyStamp(stamp_); }
  Stamp(const Stamp&) = delete;
  Stamp& operator=(const Stamp&) = delete;

  operator void*() const { return stamp_; }

 private:
  void* const stamp_ = aclprofCreateStamp();
};

/// Opens and closes a range that carries texts by their numbers.
void push_and_pop_numbered(const std::string& name) {
  aclprofTensorInfo info{};
  info.opNameId = aclprofStr2Id(name.c_str());
  info.opTypeId = aclprofStr2Id("kind");
  EXPECT_EQ(aclprofStr2Id(name.c_str()), info.opNameId);
  aclprofEventAttributes attributes{};
  attributes.version = 1;
  attributes.size = sizeof(attributes);
  attributes.message.tensorInfo = &info;
  EXPECT_EQ(aclprofRangePushEx(&attributes), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclprofRangePop(), 0);
}

/// One of each that a profile shows.
void leave_traces(int thread, int round, const Cell& cell, aclrtStream stream) {
  const Stamp stamp("of all threads");
  std::uint32_t range = 0;
  EXPECT_EQ(aclprofRangeStart(stamp, &range), 0);
  EXPECT_EQ(aclprofPush(stamp), 0);
  EXPECT_EQ(increment(cell, stream), 0);
  EXPECT_EQ(aclprofMark(stamp), 0);
  EXPECT_EQ(aclprofMarkEx("on a stream", 11, stream), 0);
  EXPECT_EQ(aclprofPop(), 0);
  push_and_pop_numbered(std::to_string(thread) + "|" + std::to_string(round));
  EXPECT_EQ(aclprofRangeStop(range), 0);
  EXPECT_EQ(aclprofRangeStop(range), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ProfileThreads, EachThreadIsShownInTheCommonProfile) {
  constexpr std::size_t kAll = kThreads * kRounds;
  const Json events = profile([] {
    const Crowd crowd(kThreads, [](int thread) {
      const OwnStream stream;
      const Cell cell;
      for (int round = 0; round < kRounds; ++round) leave_traces(thread, round, cell, stream);
      sync(stream);
      EXPECT_EQ(cell.value(), kRounds);
    });
  });
  expect_events_are_complete(events);
  EXPECT_EQ(find(events, "X", "task", "aclnnInplaceAdds").size(), kAll);
  EXPECT_EQ(find(events, "X", "range", "of all threads").size(), kAll);
  EXPECT_EQ(find(events, "i", "mark", "of all threads").size(), kAll);
  EXPECT_EQ(find(events, "i", "mark", "on a stream").size(), 2 * kAll) << "on the thread and on the stream";
  for (int thread = 0; thread < kThreads; ++thread) {
    const std::string name = std::to_string(thread) + "|" + std::to_string(kRounds - 1);
    EXPECT_EQ(find(events, "X", "range", name).size(), 1U) << name;
  }
}

TEST_F(ProfileThreads, AllThreadsBeginAndEndProfiles) {
  std::atomic<int> begun{0};
  std::atomic<int> ended{0};
  std::atomic<int> started{0};
  std::atomic<int> stopped{0};
  {
    const Crowd crowd(kThreads, [&](int) {
      aclprofConfig* own = config();
      const OwnStream stream;
      const Cell cell;
      for (int round = 0; round < kRounds; ++round) {
        if (done_or(ACL_ERROR_PROF_ALREADY_RUN, init(folder.path()))) ++begun;
        if (done_or(ACL_ERROR_PROF_NOT_RUN, aclprofStart(own))) ++started;
        EXPECT_EQ(increment(cell, stream), 0);
        if (done_or(ACL_ERROR_PROF_NOT_RUN, aclprofStop(own))) ++stopped;
        EXPECT_EQ(aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "300MB", 5), 0) << aclGetRecentErrMsg();
        if (done_or(ACL_ERROR_PROF_NOT_RUN, aclprofFinalize())) ++ended;
      }
      sync(stream);
      EXPECT_EQ(cell.value(), kRounds);
      EXPECT_EQ(aclprofDestroyConfig(own), 0) << aclGetRecentErrMsg();
    });
  }
  EXPECT_GT(begun, 0);
  EXPECT_EQ(begun, ended) << "each who began one ended one, or another did";
  EXPECT_LE(stopped, started);
  EXPECT_EQ(aclprofFinalize(), ACL_ERROR_PROF_NOT_RUN);
  for (const std::string& file : folder.files()) expect_events_are_complete(strict_parse_file(file).at("traceEvents"));
}

/// A captured model, and a pipe from which a thread reads its records.
class Watched {
 public:
  Watched(aclmdlRI model, const std::string& folder) : model_(model), id_(id_of(model, folder)) {
    EXPECT_EQ(pipe2(ends_.data(), O_NONBLOCK), 0);
    config_ = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &ends_[1]);
    EXPECT_NE(config_, nullptr) << aclGetRecentErrMsg();
  }
  ~Watched() {
    EXPECT_EQ(aclprofDestroySubscribeConfig(config_), 0);
    for (const int end : ends_) close(end);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  /// Runs the model while it is subscribed to. Returns the number of tasks in the pipe.
  std::uint32_t tasks_of_runs(int runs, aclrtStream stream) const {
    EXPECT_EQ(aclprofModelSubscribe(id_, config_), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclprofModelSubscribe(id_, config_), ACL_ERROR_PROF_REPEAT_SUBSCRIBE);
    for (int i = 0; i < runs; ++i) EXPECT_EQ(aclmdlRIExecuteAsync(model_, stream), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclprofModelUnSubscribe(id_), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclprofModelUnSubscribe(id_), ACL_ERROR_INVALID_PARAM);
    return count_records();
  }

 private:
  static std::uint32_t id_of(aclmdlRI model, const std::string& folder) {
    const std::string path = folder + "/model.json";
    EXPECT_EQ(aclmdlRIDebugJsonPrint(model, path.c_str(), ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY), 0);
    return strict_parse_file(path).at(0).at("args").at("Model Id");
  }
  /// What is in the pipe now; each record is of this model.
  std::uint32_t count_records() const {
    std::array<char, 65536> bytes;
    const ssize_t got = read(ends_[0], bytes.data(), bytes.size());
    EXPECT_GT(got, 0);
    const auto size = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    std::uint32_t count = 0;
    EXPECT_EQ(aclprofGetOpNum(bytes.data(), size, &count), 0);
    for (std::uint32_t i = 0; i < count; ++i) EXPECT_EQ(aclprofGetModelId(bytes.data(), size, i), id_);
    return count;
  }

  const aclmdlRI model_;
  const std::uint32_t id_;
  std::array<int, 2> ends_{};
  aclprofSubscribeConfig* config_ = nullptr;
};

TEST_F(ProfileThreads, EachThreadSubscribesToItsModel) {
  constexpr int kRuns = 5;
  std::vector<std::unique_ptr<Cell>> cells;
  std::vector<std::unique_ptr<Watched>> models;
  for (int thread = 0; thread < kThreads; ++thread) {
    cells.push_back(std::make_unique<Cell>());
    models.push_back(
        std::make_unique<Watched>(capture([&] { EXPECT_EQ(increment(*cells.back(), s), 0); }), folder.path()));
  }
  {
    const Crowd crowd(kThreads, [&](int thread) {
      const OwnStream stream;
      const Watched& own = *models[static_cast<std::size_t>(thread)];
      for (int round = 0; round < kRounds; ++round) EXPECT_EQ(own.tasks_of_runs(kRuns, stream), std::uint32_t{kRuns});
      sync(stream);
    });
  }
  for (const auto& cell : cells) EXPECT_EQ(cell->value(), kRuns * kRounds);
}

}  // namespace
}  // namespace aclvk::test
