#include "runtime/share/process.hpp"

#include <gtest/gtest.h>

namespace aclvk::runtime {
namespace {

TEST(ProcessId, is_the_first_of_the_namespaces) {
  EXPECT_EQ(outermost_process_id("Name:\tx\nNSpid:\t4711\t12\t1\nThreads:\t1\n"), 4711);
  EXPECT_EQ(outermost_process_id("NSpid:\t8\n"), 8);
}

TEST(ProcessId, may_be_missing) {
  EXPECT_EQ(outermost_process_id("Pid:\t8\n"), -1);
  EXPECT_EQ(outermost_process_id("NSpid:\n"), -1);
  EXPECT_EQ(outermost_process_id("NSpid:"), -1);
  EXPECT_EQ(outermost_process_id(""), -1);
}

}  // namespace
}  // namespace aclvk::runtime
