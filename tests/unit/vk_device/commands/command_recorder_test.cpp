#include "vk_device/commands/command_recorder.hpp"

#include "unit/vk_device/device_fixture.hpp"

namespace aclvk::vk::test {
namespace {

class CommandRecorderTest : public DeviceTest {
 protected:
  std::shared_ptr<CommandBuffer> fill_secondary(const BufferRange& range, std::uint8_t value) {
    auto recorder = device_->record(Level::kSecondary);
    recorder->fill(range, value);
    return recorder->finish();
  }
};

TEST_F(CommandRecorderTest, IndependentCommandsHaveNoBarrier) {
  const BufferRange range = allocate(64 * 100);
  const auto commands = run([&](CommandRecorder& recorder) {
    for (std::uint64_t i = 0; i < 100; ++i) recorder.fill(range.slice(i * 64, 64), 1);
  });
  EXPECT_EQ(commands->commands(), 100U);
  EXPECT_EQ(commands->barriers(), 0U);
}

TEST_F(CommandRecorderTest, AChainHasABarrierBeforeEachLink) {
  const BufferRange range = upload(std::vector<std::uint8_t>(65, 0));
  const auto commands = run([&](CommandRecorder& recorder) {
    recorder.fill(range.slice(0, 1), 9);
    for (std::uint64_t i = 0; i < 64; ++i) recorder.copy(range.slice(i + 1, 1), range.slice(i, 1));
  });
  EXPECT_EQ(commands->barriers(), 64U);
  EXPECT_EQ(download(range), std::vector<std::uint8_t>(65, 9));
}

TEST_F(CommandRecorderTest, RefusesARangeOutsideItsBuffer) {
  BufferRange range = allocate(2U << 20);
  range.size = std::uint64_t{1} << 40;
  auto recorder = device_->record(Level::kPrimary);
  EXPECT_EQ(code_of([&] { recorder->fill(range, 1); }), Code::kRuntimeInternal);
}

TEST_F(CommandRecorderTest, OrdersSecondariesByTheirBytes) {
  const BufferRange a = allocate(64);
  const BufferRange b = allocate(64);
  const auto fill_a = fill_secondary(a, 1);
  const auto fill_b = fill_secondary(b, 2);
  const auto independent = run([&](CommandRecorder& recorder) {
    recorder.execute(fill_a);
    recorder.execute(fill_b);
  });
  EXPECT_EQ(independent->commands(), 2U);
  EXPECT_EQ(independent->barriers(), 0U);
  const auto chained = run([&](CommandRecorder& recorder) {
    recorder.execute(fill_a);
    recorder.copy(b, a);
    recorder.execute(fill_a);
  });
  EXPECT_EQ(chained->barriers(), 2U);
  EXPECT_EQ(download(b), std::vector<std::uint8_t>(64, 1));
}

TEST_F(CommandRecorderTest, PrimaryAndSecondaryRunAgainWhilePending) {
  const BufferRange a = upload(std::vector<std::uint8_t>(64, 3));
  const BufferRange b = upload(std::vector<std::uint8_t>(64, 0));
  auto inner = device_->record(Level::kSecondary);
  inner->copy(b, a);
  const auto secondary = inner->finish();
  const auto gate = device_->create_timeline();
  std::vector<std::shared_ptr<CommandBuffer>> primaries;
  for (int i = 0; i < 3; ++i) {
    auto recorder = device_->record(Level::kPrimary);
    recorder->execute(secondary);
    recorder->execute(secondary);
    primaries.push_back(recorder->finish());
  }
  submit(primaries[0], {{gate, 1}});
  for (int i = 0; i < 10; ++i) submit(primaries[i % 3]);
  gate->signal(1);
  timeline_->wait(value_);
  EXPECT_EQ(download(b), std::vector<std::uint8_t>(64, 3));
}

TEST_F(CommandRecorderTest, ASecondaryOutlivesItsRecorderInsideAPrimary) {
  const BufferRange range = upload(std::vector<std::uint8_t>(64, 0));
  auto recorder = device_->record(Level::kPrimary);
  recorder->execute(fill_secondary(range, 5));
  const auto primary = recorder->finish();
  for (int i = 0; i < 8; ++i) fill_secondary(range, 6);  // would reuse the secondary's pool if it were free
  submit(primary);
  timeline_->wait(value_);
  EXPECT_EQ(download(range), std::vector<std::uint8_t>(64, 5));
}

TEST_F(CommandRecorderTest, AnUnfinishedRecorderIsDropped) {
  auto recorder = device_->record(Level::kPrimary);
  recorder->fill(allocate(64), 1);
  recorder.reset();
  run([&](CommandRecorder& again) { again.fill(allocate(64), 1); });
}

}  // namespace
}  // namespace aclvk::vk::test
