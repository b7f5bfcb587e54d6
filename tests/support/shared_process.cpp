// The main function of programs whose test cases share a process of the operating system: a runtime::Process ends after
// each of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/process.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new aclvk::test::ProcessOfEachTest);  // gtest deletes it
  return RUN_ALL_TESTS();
}
