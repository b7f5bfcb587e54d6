#include "base/file.hpp"

#include <gtest/gtest.h>

namespace aclvk {
namespace {

TEST(Uninterrupted, RepeatsACallThatASignalInterrupts) {
  int calls = 0;
  const auto interrupted_twice = [&] {
    errno = EINTR;
    return ++calls < 3 ? -1 : 7;
  };
  EXPECT_EQ(uninterrupted(interrupted_twice), 7);
  EXPECT_EQ(calls, 3);
}

TEST(Uninterrupted, ReturnsOtherFailures) {
  int calls = 0;
  const auto fails = [&] {
    ++calls;
    errno = EIO;
    return -1;
  };
  EXPECT_EQ(uninterrupted(fails), -1);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace aclvk
