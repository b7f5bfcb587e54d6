#include "base/inline_vector.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace aclvk {
namespace {

using Numbers = InlineVector<int, 3>;

/// Returns whether the values are stored in the vector itself.
bool holds_itself(const Numbers& numbers) {
  const auto* begin = reinterpret_cast<const char*>(&numbers);
  const auto* first = reinterpret_cast<const char*>(numbers.data());
  return begin <= first && first < begin + sizeof(numbers);
}

TEST(InlineVectors, HoldFewValuesThemselves) {
  EXPECT_TRUE(holds_itself({}));
  EXPECT_TRUE(holds_itself({1, 2, 3}));
  EXPECT_FALSE(holds_itself({1, 2, 3, 4}));
}

TEST(InlineVectors, KeepTheirValuesWhileTheyGrow) {
  Numbers numbers;
  for (int i = 0; i < 10; ++i) numbers.push_back(i);
  EXPECT_EQ(numbers, Numbers({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(numbers.front(), 0);
  EXPECT_EQ(numbers.back(), 9);
  numbers.resize(12, 7);
  EXPECT_EQ(numbers[11], 7);
  numbers.resize(2);
  EXPECT_EQ(numbers, Numbers({0, 1}));
}

TEST(InlineVectors, AreCopiedAndMovedAsValues) {
  for (const Numbers& original : {Numbers{}, Numbers{1, 2}, Numbers{1, 2, 3, 4, 5}}) {
    Numbers copy = original;
    EXPECT_EQ(copy, original);
    Numbers moved = std::move(copy);
    EXPECT_EQ(moved, original);
    Numbers assigned{9, 9, 9, 9};
    assigned = original;
    EXPECT_EQ(assigned, original);
    assigned = std::move(moved);
    EXPECT_EQ(assigned, original);
  }
}

TEST(InlineVectors, AreEmptyAfterAMoveAndCanBeUsedAgain) {
  for (Numbers numbers : {Numbers{1, 2}, Numbers{1, 2, 3, 4}}) {
    const Numbers taken = std::move(numbers);
    EXPECT_TRUE(numbers.empty());
    for (int i = 0; i < 5; ++i) numbers.push_back(i);
    EXPECT_EQ(numbers, Numbers({0, 1, 2, 3, 4}));
  }
}

TEST(InlineVectors, LoseOneValueAndKeepTheOthers) {
  Numbers numbers{1, 2, 3, 4};
  numbers.erase(numbers.begin() + 1);
  EXPECT_EQ(numbers, Numbers({1, 3, 4}));
  numbers.erase(numbers.end() - 1);
  EXPECT_EQ(numbers, Numbers({1, 3}));
}

TEST(InlineVectors, AppendWhatTheyHaveNoRoomFor) {
  const int more[] = {3, 4, 5};
  Numbers numbers{1, 2};
  numbers.append(more, more + 3);
  EXPECT_EQ(numbers, Numbers({1, 2, 3, 4, 5}));
  numbers.assign(more, more + 1);
  EXPECT_EQ(numbers, Numbers({3}));
}

TEST(InlineVectors, DifferInTheirValuesOrTheirNumber) {
  EXPECT_NE(Numbers({1, 2}), Numbers({1, 3}));
  EXPECT_NE(Numbers({1, 2}), Numbers({1, 2, 3}));
}

// Values that own something.

using Owners = InlineVector<std::shared_ptr<int>, 2>;

Owners owners(const std::shared_ptr<int>& owned, std::size_t count) {
  Owners made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(owned);
  return made;
}

TEST(InlineVectorsOfOwners, HoldThemOnceEach) {
  const auto owned = std::make_shared<int>(7);
  for (const std::size_t count : {0, 1, 2, 3, 5}) {
    {
      const Owners made = owners(owned, count);
      EXPECT_EQ(made.size(), count);
      EXPECT_EQ(owned.use_count(), 1 + static_cast<long>(count));
      for (const auto& one : made) EXPECT_EQ(one, owned);
    }
    EXPECT_EQ(owned.use_count(), 1) << count;
  }
}

TEST(InlineVectorsOfOwners, AreCopiedAndMovedAsValues) {
  const auto owned = std::make_shared<int>(7);
  for (const std::size_t count : {0, 2, 3}) {
    for (const std::size_t before : {0, 1, 4}) {
      const Owners original = owners(owned, count);
      Owners copy = original;
      EXPECT_EQ(copy, original);
      EXPECT_EQ(owned.use_count(), 1 + 2 * static_cast<long>(count));
      Owners assigned = owners(std::make_shared<int>(8), before);
      assigned = original;
      EXPECT_EQ(assigned, original);
      Owners taken = owners(owned, before);
      taken = std::move(copy);
      EXPECT_EQ(taken, original);
      EXPECT_TRUE(copy.empty());
      EXPECT_EQ(owned.use_count(), 1 + 3 * static_cast<long>(count));
      copy.push_back(owned);
      EXPECT_EQ(copy, owners(owned, 1));
    }
  }
}

TEST(InlineVectorsOfOwners, ReleaseWhatIsRemoved) {
  for (const std::size_t count : {2, 4}) {
    const auto first = std::make_shared<int>(1), rest = std::make_shared<int>(2);
    Owners made = owners(rest, count);
    made.front() = first;
    made.erase(made.begin());
    EXPECT_EQ(first.use_count(), 1);
    EXPECT_EQ(made, owners(rest, count - 1));
    made.resize(1);
    EXPECT_EQ(rest.use_count(), 2);
    made.resize(3, first);
    EXPECT_EQ(first.use_count(), 3);
    made.clear();
    EXPECT_EQ(first.use_count(), 1);
    EXPECT_EQ(rest.use_count(), 1);
  }
}

}  // namespace
}  // namespace aclvk
