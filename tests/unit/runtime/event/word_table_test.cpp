#include "runtime/event/word_table.hpp"

#include <gtest/gtest.h>

namespace aclvk::runtime {
namespace {

class FakeTimeline : public vk::Timeline {
 public:
  std::uint64_t completed() const override { return now; }
  bool wait(std::uint64_t value, std::optional<std::chrono::nanoseconds>) const override { return now >= value; }
  void signal(std::uint64_t value) override { now = value; }

  std::uint64_t now = 0;
};

WordTable::Word word(std::uint64_t address) { return {nullptr, address}; }

class WordTableTest : public testing::Test {
 protected:
  void write(std::uint64_t address, std::uint64_t value) {
    table.add_write(word(address), {value, {timeline, ++submitted}});
  }

  WordTable table;
  std::shared_ptr<FakeTimeline> timeline = std::make_shared<FakeTimeline>();
  std::uint64_t submitted = 0;
};

TEST_F(WordTableTest, UnknownWordsHaveNoPendingWrite) { EXPECT_FALSE(table.pending_write(word(64))); }

TEST_F(WordTableTest, WriteIsPendingUntilItHasCompleted) {
  write(64, 5);
  ASSERT_TRUE(table.pending_write(word(64)));
  EXPECT_EQ(table.pending_write(word(64))->value, 5u);
  EXPECT_EQ(table.pending_write(word(64))->since.value, 1u);
  timeline->now = 1;
  EXPECT_FALSE(table.pending_write(word(64)));
}

TEST_F(WordTableTest, DevicesMayUseTheSameAddresses) {
  write(64, 5);
  const auto* other = reinterpret_cast<const vk::Device*>(&table);
  EXPECT_FALSE(table.pending_write({other, 64}));
}

TEST_F(WordTableTest, LastWriteCounts) {
  write(64, 5);
  write(64, 6);
  timeline->now = 1;
  ASSERT_TRUE(table.pending_write(word(64)));
  EXPECT_EQ(table.pending_write(word(64))->value, 6u);
}

TEST_F(WordTableTest, WordsAreIndependent) {
  write(64, 5);
  EXPECT_FALSE(table.pending_write(word(72)));
}

TEST_F(WordTableTest, CompletedWritesToEverNewWordsAreForgotten) {
  for (std::uint64_t address = 0; address < 100000; address += 8) {
    write(address, 5);
    timeline->now = submitted;
  }
  EXPECT_LE(table.size(), 64u);
}

TEST_F(WordTableTest, WritesThatAreNotCompleteAreKept) {
  for (std::uint64_t address = 0; address < 8000; address += 8) write(address, address);
  for (std::uint64_t address = 0; address < 8000; address += 8) {
    ASSERT_TRUE(table.pending_write(word(address))) << address;
    EXPECT_EQ(table.pending_write(word(address))->value, address);
  }
}

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

TEST(Satisfies, GreaterEqualIsASignedDifference) {
  EXPECT_TRUE(satisfies(5, Comparison::kGreaterEqual, 5));
  EXPECT_TRUE(satisfies(6, Comparison::kGreaterEqual, 5));
  EXPECT_FALSE(satisfies(4, Comparison::kGreaterEqual, 5));
  EXPECT_TRUE(satisfies(0, Comparison::kGreaterEqual, kAllOnes));
  EXPECT_FALSE(satisfies(kAllOnes, Comparison::kGreaterEqual, 0));
}

TEST(Satisfies, EqualIsExact) {
  EXPECT_TRUE(satisfies(kAllOnes, Comparison::kEqual, kAllOnes));
  EXPECT_FALSE(satisfies(1, Comparison::kEqual, std::uint64_t{1} << 32 | 1));
}

TEST(Satisfies, AndWantsACommonBit) {
  EXPECT_TRUE(satisfies(6, Comparison::kAnd, 3));
  EXPECT_FALSE(satisfies(4, Comparison::kAnd, 3));
  EXPECT_FALSE(satisfies(kAllOnes, Comparison::kAnd, 0));
}

TEST(Satisfies, NorWantsABitThatIsClearInBoth) {
  EXPECT_TRUE(satisfies(0, Comparison::kNor, 0));
  EXPECT_FALSE(satisfies(kAllOnes, Comparison::kNor, 0));
  EXPECT_FALSE(satisfies(0xF0, Comparison::kNor, ~std::uint64_t{0xF0}));
}

}  // namespace
}  // namespace aclvk::runtime
