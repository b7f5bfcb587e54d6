#include "base/log_writer.hpp"

#include <gmock/gmock.h>
#include <spdlog/sinks/ostream_sink.h>

#include <atomic>
#include <chrono>
#include <future>
#include <sstream>
#include <thread>
#include <vector>

namespace aclvk {
namespace {

class LogWriterTest : public testing::Test {
 protected:
  std::ostringstream text;
  LogWriter writer;
  const std::vector<spdlog::sink_ptr> sinks{std::make_shared<spdlog::sinks::ostream_sink_mt>(text), writer.fence()};
  const std::shared_ptr<spdlog::async_logger> queue =
      std::make_shared<spdlog::async_logger>("queue", sinks.begin(), sinks.end(), writer.pool());
};

TEST_F(LogWriterTest, FinishesWithWhatIsQueued) {
  EXPECT_TRUE(writer.queue([&] { queue->info("queued"); }));
  writer.finish();
  EXPECT_THAT(text.str(), testing::HasSubstr("queued"));
  EXPECT_FALSE(writer.queue([] { ADD_FAILURE() << "the writer has been stopped"; }));
}

// The thread has found the writer running, and queues its message while another one ends the process.
TEST_F(LogWriterTest, FinishesWithAMessageThatIsBeingQueued) {
  std::atomic<bool> begun{false};
  std::atomic<bool> may_queue{false};
  std::thread logging([&] {
    writer.queue([&] {
      begun = true;
      while (!may_queue) std::this_thread::yield();
      queue->info("late");
    });
  });
  while (!begun) std::this_thread::yield();
  auto finished = std::async(std::launch::async, [&] { writer.finish(); });
  EXPECT_EQ(finished.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  may_queue = true;
  finished.get();
  EXPECT_THAT(text.str(), testing::HasSubstr("late"));
  logging.join();
}

}  // namespace
}  // namespace aclvk
