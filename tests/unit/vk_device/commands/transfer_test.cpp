#include "unit/vk_device/device_fixture.hpp"
#include "vk_device/commands/copy_commands.hpp"

namespace aclvk::vk::test {
namespace {

constexpr std::uint64_t kBytes = 64;

/// Both ways to access device memory: mapped, and through staging.
class DeviceTransferTest : public DeviceTest, public testing::WithParamInterface<const char*> {
 protected:
  Setting visible_{"ACLVK_HOST_VISIBLE", GetParam()};
};

INSTANTIATE_TEST_SUITE_P(HostVisible, DeviceTransferTest, testing::Values("1", "0"),
                         [](const auto& visible) { return std::string(visible.param); });

TEST_P(DeviceTransferTest, DeviceMemoryIsMappedOnlyWhenAllowed) {
  const bool hidden = GetParam() == std::string("0");
  EXPECT_TRUE(!hidden || allocate(16).mapped() == nullptr);
  EXPECT_NE(allocate(16, Placement::kPinnedHost).mapped(), nullptr);
}

TEST_P(DeviceTransferTest, WritesAndReadsEveryOddPart) {
  std::vector<std::uint8_t> expected(kBytes, 7);
  const BufferRange range = upload(expected);
  const auto source = random_bytes(kBytes);
  for (std::uint64_t offset = 0; offset < 9; ++offset) {
    for (std::uint64_t size = 0; size < 18; ++size) {
      device_->write(range.slice(offset, size), source.data() + offset + size);
      std::memcpy(expected.data() + offset, source.data() + offset + size, size);
      ASSERT_EQ(download(range), expected) << offset << ", " << size;
    }
  }
}

TEST_P(DeviceTransferTest, WritesMoreThanAStagingBuffer) {
  const auto expected = random_bytes((17U << 20) + 3);
  EXPECT_EQ(download(upload(expected)), expected);
}

TEST_P(DeviceTransferTest, CopiesEveryOddOffsetAndSize) {
  const auto source = random_bytes(kBytes);
  const BufferRange src = upload(source);
  for (std::uint64_t from = 0; from < 5; ++from) {
    for (std::uint64_t to = 0; to < 5; ++to) {
      std::vector<std::uint8_t> expected(20 * kBytes, 0);
      const BufferRange dst = upload(expected);
      run([&](CommandRecorder& recorder) {
        for (std::uint64_t size = 0; size < 20; ++size) {
          recorder.copy(dst.slice(size * kBytes + to, size), src.slice(from, size));
          std::memcpy(expected.data() + size * kBytes + to, source.data() + from, size);
        }
      });
      ASSERT_EQ(download(dst), expected) << from << ", " << to;
    }
  }
}

TEST_P(DeviceTransferTest, FillsEveryOddOffsetAndSize) {
  for (std::uint64_t offset = 0; offset < 8; ++offset) {
    std::vector<std::uint8_t> expected(20 * kBytes, 1);
    const BufferRange dst = upload(expected);
    run([&](CommandRecorder& recorder) {
      for (std::uint64_t size = 0; size < 20; ++size) {
        recorder.fill(dst.slice(size * kBytes + offset, size), static_cast<std::uint8_t>(0x80 + size));
        std::memset(expected.data() + size * kBytes + offset, static_cast<int>(0x80 + size), size);
      }
    });
    ASSERT_EQ(download(dst), expected) << offset;
  }
}

TEST_P(DeviceTransferTest, FillsAndWritesWords) {
  const BufferRange dst = upload(std::vector<std::uint32_t>(4, 1));
  run([&](CommandRecorder& recorder) {
    recorder.fill_words(dst.slice(0, 8), 0xDEADBEEF);
    recorder.write_word(dst.slice(4, 12), 0x1111111122222222);
  });
  EXPECT_EQ(download<std::uint32_t>(dst), (std::vector<std::uint32_t>{0xDEADBEEF, 0x22222222, 0x11111111, 1}));
}

TEST_P(DeviceTransferTest, CopiesRows) {
  const auto source = random_bytes(100);
  std::vector<std::uint8_t> expected(100, 0);
  const BufferRange src = upload(source);
  const BufferRange dst = upload(expected);
  run([&](CommandRecorder& recorder) { recorder.copy_2d({dst.slice(3, 97), src.slice(1, 99), 13, 11, 7, 5}); });
  for (int row = 0; row < 5; ++row) std::memcpy(expected.data() + 3 + row * 13, source.data() + 1 + row * 11, 7);
  EXPECT_EQ(download(dst), expected);
}

TEST_P(DeviceTransferTest, CopiesRowsWithoutGaps) {
  const auto source = random_bytes(60);
  const BufferRange src = upload(source);
  const BufferRange dst = upload(std::vector<std::uint8_t>(60, 0));
  run([&](CommandRecorder& recorder) { recorder.copy_2d({dst, src, 12, 12, 12, 5}); });
  EXPECT_EQ(download(dst), source);
}

TEST_P(DeviceTransferTest, CopiesColumnsBesideOthersWithOneCommand) {
  const auto before = random_bytes(200);
  for (const auto& [to, from] : {std::pair(8, 0), std::pair(0, 8), std::pair(56, 16), std::pair(3, 43)}) {
    const BufferRange matrix = upload(before);
    const auto commands = run([&, first = to, second = from](CommandRecorder& recorder) {
      recorder.copy_2d({matrix.slice(first, 144), matrix.slice(second, 144), 16, 16, 8, 9});
    });
    EXPECT_EQ(commands->commands(), 1U) << from << " to " << to;
    auto expected = before;
    for (int row = 0; row < 9; ++row) std::memcpy(&expected[to + 16 * row], &before[from + 16 * row], 8);
    EXPECT_EQ(download(matrix), expected) << from << " to " << to;
  }
}

TEST_P(DeviceTransferTest, CountsTheCommandsForRows) {
  constexpr std::uint64_t kRows = 8192;
  const BufferRange matrix{allocate(kBytes).buffer, 0, 256 * kRows};
  const auto commands = [&](std::uint64_t to, std::uint64_t dst_pitch, std::uint64_t width) {
    const std::uint64_t span = 256 * (kRows - 1) + width;
    return copy_command_count(Copy2d{{matrix.buffer, to, span}, matrix.slice(0, span), dst_pitch, 256, width, kRows});
  };
  EXPECT_EQ(commands(64, 256, 64), 1U);
  EXPECT_EQ(commands(256 * 5 + 192, 256, 64), 1U);
  EXPECT_EQ(commands(256 * kRows, 256, 64), 1U) << "behind the other";
  EXPECT_EQ(commands(63, 256, 64), 2 * kRows) << "each row overlaps by a byte";
  EXPECT_EQ(commands(193, 256, 64), kRows) << "each row overlaps the next one by a byte";
  EXPECT_GT(commands(64, 255, 64), kRows) << "the pitches differ, so that some rows meet";
}

TEST_P(DeviceTransferTest, PinnedMemoryIsReachedByTheGpu) {
  const auto source = random_bytes(kBytes);
  const BufferRange src = allocate(kBytes, Placement::kPinnedHost);
  std::memcpy(src.mapped(), source.data(), kBytes);
  const BufferRange dst = allocate(kBytes);
  run([&](CommandRecorder& recorder) { recorder.copy(dst, src); });
  EXPECT_EQ(download(dst), source);
}

TEST_P(DeviceTransferTest, NothingIsRecordedForNoBytes) {
  const BufferRange range = allocate(kBytes);
  const auto commands = run([&](CommandRecorder& recorder) {
    recorder.copy(range.slice(0, 0), range.slice(8, 0));
    recorder.fill(range.slice(3, 0), 1);
    recorder.fill_words(range.slice(0, 0), 1);
    recorder.copy_2d({range, range, 4, 4, 0, 3});
  });
  EXPECT_EQ(commands->commands(), 0U);
}

}  // namespace
}  // namespace aclvk::vk::test
