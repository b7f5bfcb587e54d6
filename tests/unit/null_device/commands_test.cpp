// What the commands of a null device do.
#include <cstring>

#include "unit/null_device/fixture.hpp"

namespace aclvk::test {
namespace {

class NullCommands : public NullDeviceTest {
 protected:
  static vk::Dispatch kernel(vk::DispatchOperands operands) {
    vk::Dispatch dispatch;
    dispatch.shader = "elementwise/binary_f32";
    dispatch.operands = std::move(operands);
    dispatch.groups = {3, 2, 1};
    return dispatch;
  }
};

TEST_F(NullCommands, CopiesAtAnyOffset) {
  const vk::BufferRange src = upload(ascending(16));
  const vk::BufferRange dst = upload(Bytes(16));
  run([&](vk::CommandRecorder& recorder) { recorder.copy(dst.slice(3, 5), src.slice(7, 5)); });
  EXPECT_EQ(download(dst), (Bytes{0, 0, 0, 8, 9, 10, 11, 12, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(NullCommands, OverlappingCopiesAreMoves) {
  const vk::BufferRange range = upload(ascending(8));
  run([&](vk::CommandRecorder& recorder) { recorder.copy(range.slice(2, 6), range.slice(0, 6)); });
  EXPECT_EQ(download(range), (Bytes{1, 2, 1, 2, 3, 4, 5, 6}));
  run([&](vk::CommandRecorder& recorder) { recorder.copy(range.slice(0, 6), range.slice(2, 6)); });
  EXPECT_EQ(download(range), (Bytes{1, 2, 3, 4, 5, 6, 5, 6}));
}

TEST_F(NullCommands, CopiesRowsBetweenPitches) {
  const vk::BufferRange src = upload(ascending(12));
  const vk::BufferRange dst = upload(Bytes(9));
  run([&](vk::CommandRecorder& recorder) { recorder.copy_2d({dst, src, 3, 4, 2, 3}); });
  EXPECT_EQ(download(dst), (Bytes{1, 2, 0, 5, 6, 0, 9, 10, 0}));
}

TEST_F(NullCommands, OverlappingRowsMoveFromTheEnd) {
  const vk::BufferRange range = upload(ascending(8));
  run([&](vk::CommandRecorder& recorder) { recorder.copy_2d({range.slice(2, 6), range.slice(0, 6), 2, 2, 1, 3}); });
  EXPECT_EQ(download(range), (Bytes{1, 2, 1, 4, 3, 6, 5, 8}));
}

TEST_F(NullCommands, FillsBytesAndWords) {
  const vk::BufferRange range = upload(Bytes(12));
  run([&](vk::CommandRecorder& recorder) {
    recorder.fill(range.slice(1, 2), 9);
    recorder.fill_words(range.slice(4, 8), 0x04030201);
  });
  EXPECT_EQ(download(range), (Bytes{0, 9, 9, 0, 1, 2, 3, 4, 1, 2, 3, 4}));
}

TEST_F(NullCommands, WritesAWord) {
  const vk::BufferRange range = upload(Bytes(16));
  run([&](vk::CommandRecorder& recorder) { recorder.write_word(range.slice(4, 12), 0x0807060504030201); });
  EXPECT_EQ(download(range), (Bytes{0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0}));
}

TEST_F(NullCommands, RunInTheirOrder) {
  const vk::BufferRange range = upload(Bytes(4));
  const auto secondary =
      record([&](vk::CommandRecorder& recorder) { recorder.fill(range.slice(1, 3), 2); }, vk::Level::kSecondary);
  const auto commands = run([&](vk::CommandRecorder& recorder) {
    recorder.fill(range, 1);
    recorder.execute(secondary);
    recorder.fill(range.slice(3, 1), 3);
  });
  EXPECT_EQ(download(range), (Bytes{1, 2, 2, 3}));
  EXPECT_EQ(commands->commands(), 3u);
  EXPECT_EQ(commands->barriers(), 2u);
}

TEST_F(NullCommands, NeedNoBarrierUnlessTheyConflict) {
  const vk::BufferRange range = upload(Bytes(16));
  const auto disjoint = run([&](vk::CommandRecorder& recorder) {
    recorder.fill(range.slice(0, 8), 1);
    recorder.fill(range.slice(8, 8), 2);
  });
  EXPECT_EQ(disjoint->barriers(), 0u);
  EXPECT_TRUE(disjoint->writes(range.slice(15, 1)));
  const auto dependent = run([&](vk::CommandRecorder& recorder) {
    recorder.fill(range.slice(0, 8), 3);
    recorder.copy(range.slice(8, 4), range.slice(0, 4));
  });
  EXPECT_EQ(dependent->barriers(), 1u);
  EXPECT_FALSE(dependent->writes(range.slice(12, 4)));
}

TEST_F(NullCommands, WriteTimestamps) {
  const auto times = device.create_timestamps(2);
  run([&](vk::CommandRecorder& recorder) {
    recorder.write_timestamp(times);
    recorder.write_timestamp(times);
  });
  ASSERT_EQ(times->size(), 2u);
  const std::vector<std::int64_t> read = times->read();
  EXPECT_GT(read[0], 0);
  EXPECT_LE(read[0], read[1]);
  times->reset();
  EXPECT_EQ(times->read(), (std::vector<std::int64_t>{0, 0}));
}

TEST_F(NullCommands, OutsideOfABufferAreRefused) {
  const vk::BufferRange range = allocate(8);
  const vk::BufferRange outside{range.buffer, range.buffer->bytes() - 4, 8};
  const auto recorder = device.record(vk::Level::kPrimary);
  EXPECT_EQ(thrown_by([&] { recorder->fill(outside, 1); }), Code::kRuntimeInternal);
  EXPECT_EQ(thrown_by([&] { recorder->copy(range, range.slice(0, 4)); }), Code::kRuntimeInternal);
  EXPECT_EQ(thrown_by([&] { recorder->write_word(range.slice(2, 6), 1); }), Code::kRuntimeInternal);
  recorder->finish();
  EXPECT_EQ(thrown_by([&] { recorder->finish(); }), Code::kRuntimeInternal);
}

TEST_F(NullCommands, KernelsAreCountedAndChangeNothing) {
  const vk::BufferRange in = upload(ascending(8));
  const vk::BufferRange out = upload(Bytes(8));
  vk::Dispatch dispatch = kernel({{in, vk::Access::kRead}, {out, vk::Access::kWrite}});
  dispatch.constants = {7};
  dispatch.arguments = {std::byte{1}, std::byte{2}};
  device.prepare(dispatch);
  const auto commands = run([&](vk::CommandRecorder& recorder) { recorder.dispatch(dispatch); });
  EXPECT_TRUE(commands->writes(out));
  EXPECT_EQ(download(out), Bytes(8));
  EXPECT_EQ(device.kernels().count("elementwise/binary_f32"), 1u);
  EXPECT_EQ(device.kernels().count("another"), 0u);
  const std::vector<NullLaunch> launches = device.kernels().launches();
  ASSERT_EQ(launches.size(), 1u);
  const NullLaunch& launch = launches.front();
  EXPECT_EQ(launch.groups, (std::array<std::uint32_t, 3>{3, 2, 1}));
  EXPECT_TRUE(launch.constants == dispatch.constants);
  EXPECT_EQ(launch.arguments.size(), 2u);
  ASSERT_EQ(launch.operands.size(), 2u);
  EXPECT_EQ(launch.operands[0].address, in.address());
  EXPECT_EQ(launch.operands[1].bytes, 8u);
  EXPECT_EQ(launch.operands[1].access, vk::Access::kWrite);
}

TEST_F(NullCommands, KernelsWithoutGroupsDoNotRun) {
  vk::Dispatch dispatch = kernel({});
  dispatch.groups = {1, 0, 1};
  EXPECT_EQ(run([&](vk::CommandRecorder& recorder) { recorder.dispatch(dispatch); })->commands(), 0u);
  EXPECT_EQ(device.kernels().count(), 0u);
}

TEST_F(NullCommands, KernelsThatOnlyCopyAreCopies) {
  const vk::BufferRange in = upload(ascending(8));
  const vk::BufferRange out = upload(Bytes(8));
  vk::Dispatch dispatch = kernel({{in, vk::Access::kRead}, {out, vk::Access::kWrite}});
  dispatch.copies = true;
  run([&](vk::CommandRecorder& recorder) { recorder.dispatch(dispatch); });
  EXPECT_EQ(download(out), ascending(8));
  EXPECT_EQ(device.kernels().count(), 0u);
}

TEST_F(NullCommands, TestsCanImplementKernels) {
  device.kernels().set_implementation(
      [](const vk::Dispatch& dispatch) { std::memset(bytes_of(dispatch.operands[0].range), 5, 2); });
  const vk::BufferRange out = upload(Bytes(4));
  run([&](vk::CommandRecorder& recorder) { recorder.dispatch(kernel({{out, vk::Access::kWrite}})); });
  EXPECT_EQ(download(out), (Bytes{5, 5, 0, 0}));
  EXPECT_EQ(device.kernels().count(), 1u);
}

TEST_F(NullCommands, UnknownShadersAreRefused) {
  vk::Dispatch dispatch = kernel({});
  dispatch.shader = "no/such_shader";
  EXPECT_EQ(thrown_by([&] { device.prepare(dispatch); }), Code::kRuntimeInternal);
}

}  // namespace
}  // namespace aclvk::test
