// The main stories of programs, told by several threads of one process at the same time: what they share is the library.
#include <array>

#include "acl/acl.h"
#include "stories/stories.hpp"
#include "support/stress.hpp"
#include "support/watchdog.hpp"

namespace aclvk::test {
namespace {

struct StoriesTogether : CaptureTest {
  const Watchdog watchdog{std::chrono::seconds(110), "not all stories have come to their end."};
};

constexpr std::array<StoryBody, 9> kStories = {context_story, memory_story,      stream_story, operator_story,
                                               capture_story, built_model_story, kernel_story, pool_story,
                                               virtual_memory_story};
// There is one profile and one recording in a process.
constexpr std::array<StoryBody, 2> kStoriesOfTheProcess = {profile_story, record_story};

/// Each story is told so often, beginning with one of them.
template <typename Stories>
void tell_all(const Stories& stories, std::size_t first, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < stories.size(); ++i) {
      const std::size_t story = (first + i) % stories.size();
      const Outcome outcome = tell(stories[story]);
      EXPECT_EQ(outcome.code, 0) << "story " << story << ": " << outcome.call << ": " << aclGetRecentErrMsg();
      EXPECT_EQ(outcome.broken, "") << "story " << story;
    }
  }
}

TEST_F(StoriesTogether, EachThreadTellsAnother) {
  constexpr int kRounds = times(20);
  kernel_module();
  DeviceThreads threads;
  for (std::size_t first = 0; first < kStories.size(); ++first) {
    threads.start([first] { tell_all(kStories, first, kRounds); });
  }
}

TEST_F(StoriesTogether, AllThreadsTellTheSame) {
  constexpr int kRounds = times(20);
  constexpr int kThreads = 4;
  kernel_module();
  for (const StoryBody story : kStories) {
    DeviceThreads threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.start([story] { tell_all(std::array{story}, 0, kRounds); });
    }
  }
}

TEST_F(StoriesTogether, OneThreadProfilesAndRecordsWhatOthersDo) {
  constexpr int kRounds = times(20);
  kernel_module();
  DeviceThreads threads;
  threads.start([] { tell_all(kStoriesOfTheProcess, 0, kRounds); });
  for (std::size_t first = 0; first < kStories.size(); first += 3) {
    threads.start([first] { tell_all(kStories, first, times(10)); });
  }
}

}  // namespace
}  // namespace aclvk::test
