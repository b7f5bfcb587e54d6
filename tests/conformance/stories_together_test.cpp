// The main stories of programs, run by several threads of one process at the same time: what they share is the
// library.
#include <array>
#include <list>

#include "acl/acl.h"
#include "stories/stories.hpp"
#include "support/stress.hpp"
#include "support/watchdog.hpp"

namespace aclvk::test {
namespace {

struct StoriesTogether : CaptureTest {
  const Watchdog watchdog{std::chrono::seconds(110), "not all stories have come to their end."};
};

constexpr std::array<StoryBody, 9> kStories = {context_story,  memory_story,  stream_story,
                                               operator_story, capture_story, built_model_story,
                                               kernel_story,   pool_story,    virtual_memory_story};
// There is one profile and one recording in a process.
constexpr std::array<StoryBody, 2> kStoriesOfTheProcess = {profile_story, record_story};

void expect_end_well(StoryBody body, Story& story) {
  body(story);
  const Outcome outcome = story.finish();
  EXPECT_EQ(outcome.code, 0) << outcome.call << ": " << aclGetRecentErrMsg();
  EXPECT_EQ(outcome.broken, "");
}

/// All stories so often, beginning with one of them.
void run_all(std::size_t first, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < kStories.size(); ++i) {
      Story story;
      expect_end_well(kStories[(first + i) % kStories.size()], story);
    }
  }
}

TEST_F(StoriesTogether, EachThreadTellsAnother) {
  constexpr int kRounds = 10;
  kernel_module();
  DeviceThreads threads;
  for (std::size_t first = 0; first < kStories.size(); ++first) {
    threads.start([first] { run_all(first, kRounds); });
  }
}

TEST_F(StoriesTogether, AllThreadsReportTheSame) {
  constexpr int kRounds = 10;
  constexpr int kThreads = 4;
  kernel_module();
  for (const StoryBody story : kStories) {
    DeviceThreads threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.start([story] {
        for (int round = 0; round < kRounds; ++round) {
          Story finished;
          expect_end_well(story, finished);
        }
      });
    }
  }
}

TEST_F(StoriesTogether, OneThreadProfilesAndRecordsWhatOthersDo) {
  kernel_module();
  // Their folders go last: calls that were there before a recording ended are still written.
  std::list<Story> finished;
  DeviceThreads threads;
  threads.start([&finished] {
    for (int round = 0; round < 10; ++round) {
      for (const StoryBody story : kStoriesOfTheProcess) expect_end_well(story, finished.emplace_back());
    }
  });
  for (std::size_t first = 0; first < kStories.size(); first += 3) {
    threads.start([first] { run_all(first, 5); });
  }
}

}  // namespace
}  // namespace aclvk::test
