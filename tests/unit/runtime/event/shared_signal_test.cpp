// With processes that end; tests/api/*_share_test.cpp have one that lives.
#include "runtime/event/shared_signal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "base/error.hpp"

namespace aclvk::runtime {
namespace {

TEST(SharedEvents, DistinguishTheirRecords) {
  SharedEvent event;
  EXPECT_EQ(event.newest(), 0U);
  const auto first = event.issue();
  const auto second = event.issue();
  EXPECT_EQ(event.newest(), second);
  event.mark_reached(second);
  EXPECT_FALSE(event.reached(first));
  EXPECT_TRUE(event.reached(second));
  EXPECT_FALSE(event.lost(first)) << "this process lives";
  event.mark_reached(first);
  EXPECT_TRUE(event.reached(first));
}

TEST(SharedEvents, KeepWhatIsLongPastUntilANewerOneInItsPlaceIsReached) {
  SharedEvent event;
  const auto old = event.issue();
  const auto same_slot = old + 250;
  while (event.newest() < 1000) event.issue();
  EXPECT_FALSE(event.reached(old)) << "only issued";
  event.mark_reached(same_slot);
  EXPECT_TRUE(event.reached(old));
  EXPECT_FALSE(event.reached(old + 1));
  event.mark_reached(old);
  EXPECT_TRUE(event.reached(same_slot)) << "an older one comes later";
  EXPECT_FALSE(event.reached(event.newest()));
}

void issue_in_a_process_that_ends(SharedEvent& event) {
  const pid_t process = fork();
  if (process == 0) {
    event.issue();
    _exit(0);
  }
  EXPECT_EQ(waitpid(process, nullptr, 0), process);
}

TEST(SharedEvents, DetectThatAProcessHasEnded) {
  const auto event = std::make_shared<SharedEvent>();
  issue_in_a_process_that_ends(*event);
  const auto record = event->newest();
  ASSERT_EQ(record, 1U);
  const auto early = remote_record(event, record);
  EXPECT_TRUE(event->lost(record));
  EXPECT_TRUE(early->lost());
  for (int i = 0; i < 300; ++i) event->issue();
  EXPECT_FALSE(event->lost(record)) << "the slot belongs to this process, which lives";
  EXPECT_TRUE(early->lost()) << "it has seen whose record it was";
  event->mark_reached(record + 250);
  EXPECT_FALSE(early->lost());
  EXPECT_TRUE(early->reached());
}

TEST(SharedEvents, DetectThatTheOwnerOfThePlaceHasEnded) {
  const auto event = std::make_shared<SharedEvent>();
  const auto record = event->issue();
  const auto wait = remote_record(event, record);
  while (event->newest() < record + 249) event->issue();
  EXPECT_FALSE(wait->lost());
  issue_in_a_process_that_ends(*event);
  EXPECT_TRUE(event->lost(record));
  EXPECT_TRUE(wait->lost());
}

TEST(SharedFlags, AreTakenOnce) {
  SharedFlag flag;
  EXPECT_FALSE(flag.test_and_clear());
  flag.set();
  flag.set();
  EXPECT_TRUE(flag.test_and_clear());
  EXPECT_FALSE(flag.test_and_clear());
}

TEST(SharedPages, AreRefusedWhenTheyAreNot) {
  EXPECT_THROW(SharedPage{File{open("/dev/null", O_RDWR | O_CLOEXEC)}}, Error);
  EXPECT_THROW(SharedPage{File{}}, Error);
}

}  // namespace
}  // namespace aclvk::runtime
