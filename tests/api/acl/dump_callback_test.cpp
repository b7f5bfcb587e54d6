// What a callback of acl_dump.h may do.
#include <atomic>
#include <chrono>
#include <functional>
#include <utility>

#include "acl/acl_dump.h"
#include "acl/rt/dump.h"
#include "aclnnop/aclnn_mul.h"
#include "support/capture_fixture.hpp"
#include "support/folder.hpp"
#include "support/op_fixture.hpp"
#include "support/watchdog.hpp"

namespace {

using namespace aclvk::test;

class DumpCallback : public OneStream {
 protected:
  void multiply(const OpTensor& self, const OpTensor& out) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(aclnnMulGetWorkspaceSize(self.get(), self.get(), out.get(), &size, &executor), 0);
    ASSERT_EQ(aclnnMul(nullptr, 0, executor, s), 0) << aclGetRecentErrMsg();
  }

  Folder folder;
};

// The callback has no user pointer. It is called again for what it launches.
std::function<void()> launch_once;
std::atomic<int> pieces{0};

int32_t launch(const acldumpChunk*, int32_t) {
  ++pieces;
  if (const auto run = std::exchange(launch_once, nullptr)) run();
  return 0;
}

TEST_F(DumpCallback, MayLaunchAnOperator) {
  const Watchdog watchdog(std::chrono::seconds(60), "The callback waits for the call that it is told of.");
  OpTensor self(ACL_FLOAT, {2});
  self.fill_random(1).upload();
  const OpTensor out(ACL_FLOAT, {2});
  const OpTensor other(ACL_FLOAT, {2});
  launch_once = [&] { multiply(self, other); };
  ASSERT_EQ(acldumpRegCallback(launch, 0), 0);
  ASSERT_EQ(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, (folder.path() + "/arguments").c_str()), 0);
  multiply(self, out);
  EXPECT_EQ(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS), 0);
  acldumpUnregCallback();
  EXPECT_EQ(pieces, 2);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0) << aclGetRecentErrMsg();
  const auto square = [&](std::int64_t i) {
    return round_real(self.before(i).real() * self.before(i).real(), ACL_FLOAT);
  };
  expect_elements(out, out.download(), square, true);
  expect_elements(other, other.download(), square, true);
}

}  // namespace
