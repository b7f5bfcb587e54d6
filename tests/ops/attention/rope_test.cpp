#include "aclnnop/aclnn_apply_rotary_pos_emb.h"
#include "aclnnop/aclnn_apply_rotary_pos_emb_v2.h"
#include "aclnnop/aclnn_interleave_rope.h"
#include "aclnnop/aclnn_rope_with_sin_cos_cache.h"
#include "aclnnop/aclnn_rotary_position_embedding.h"
#include "ops/attention/rope_points.hpp"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

class Rope : public OpTest {
 protected:
  /// Element `i` of x, rotated by angles that broadcast to it.
  static Number rotated(const OpTensor& x, const OpTensor& cos, const OpTensor& sin, std::int64_t mode,
                        std::int64_t i) {
    const std::int64_t columns = x.shape().back();
    const Point point = point_of(mode, i % columns, columns);
    const std::int64_t start = i - i % columns;
    const std::int64_t angle = source_of(i, x.shape(), cos.shape());
    const Number first = x.before(start + point.first);
    const Number second = x.before(start + point.second);
    const Number mine = point.is_second ? second : first;
    const Number other = point.is_second ? first : -second;
    return mine * cos.before(angle) + other * sin.before(angle);
  }

  static void fill_angles(OpTensor& cos, OpTensor& sin) {
    // Each column has an angle of its own: the two of a point need not agree.
    cos.fill([](std::int64_t i) -> Number { return std::cos(Real(i % 37) / 7); });
    sin.fill([](std::int64_t i) -> Number { return std::sin(Real(i % 37) / 7); });
  }

  static void check_rotary(aclDataType type, const Shape& shape, const Shape& angles, std::int64_t mode,
                           const View& view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", mode " << mode);
    OpTensor x(type, shape, view);
    OpTensor cos(type, angles);
    OpTensor sin(type, angles);
    x.fill_random(3);
    fill_angles(cos, sin);
    const OpTensor out(type, shape);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnRotaryPositionEmbeddingGetWorkspaceSize(x.get(), cos.get(), sin.get(), mode, out.get(), n, e);
        },
        aclnnRotaryPositionEmbedding, {&x, &cos, &sin}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return rotated(x, cos, sin, mode, i); }, false);
  }
};

TEST_F(Rope, RotatesPointsInEveryMode) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const std::int64_t mode : {0, 1, 2, 3}) {
      check_rotary(type, {2, 3, 5, 16}, {1, 1, 5, 16}, mode);
      check_rotary(type, {2, 5, 3, 12}, {2, 5, 1, 12}, mode);
    }
  }
  check_rotary(ACL_FLOAT, {2, 3, 5, 8}, {1, 1, 5, 8}, 0, {{200, 60, 12, 1}, 3});
  check_rotary(ACL_FLOAT, {0, 3, 5, 8}, {1, 1, 5, 8}, 0);
}

TEST_F(Rope, RotatesInPlaceAPartOfLongerRows) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const std::int64_t mode : {0, 1, 2, 3}) {
      for (const View& view : {View{}, View{{360, 72, 24, 1}, 5, 7}}) {
        SCOPED_TRACE(testing::Message() << "dtype " << type << ", mode " << mode);
        OpTensor x(type, {2, 5, 3, 16}, view);
        OpTensor cos(type, {1, 5, 1, 16});
        OpTensor sin(type, {1, 5, 1, 16});
        x.fill_random(3);
        fill_angles(cos, sin);
        const auto bytes = run(
            [&](auto* n, auto** e) {
              return aclnnRotaryPositionEmbeddingGetWorkspaceSize(x.get(), cos.get(), sin.get(), mode, x.get(), n, e);
            },
            aclnnRotaryPositionEmbedding, {&cos, &sin}, x);
        expect_elements(
            x, bytes, [&](std::int64_t i) { return rotated(x, cos, sin, mode, i); }, false);
      }
    }
  }
}

TEST_F(Rope, InterleaveRopeMakesHalvesOfNeighbours) {
  OpTensor x(ACL_FLOAT16, {2, 3, 5, 64});
  OpTensor cos(ACL_FLOAT16, {2, 1, 5, 64});
  OpTensor sin(ACL_FLOAT16, {2, 1, 5, 64});
  x.fill_random(3);
  fill_angles(cos, sin);
  const OpTensor out(ACL_FLOAT16, {2, 3, 5, 64});
  const auto bytes =
      run([&](auto* n,
              auto** e) { return aclnnInterleaveRopeGetWorkspaceSize(x.get(), cos.get(), sin.get(), out.get(), n, e); },
          aclnnInterleaveRope, {&x, &cos, &sin}, out);
  expect_elements(
      out, bytes, [&](std::int64_t i) { return rotated(x, cos, sin, 3, i); }, false);
}

TEST_F(Rope, RotatesQueryAndKeyInPlace) {
  const std::vector<std::pair<std::string, std::int64_t>> modes = {{"half", 0}, {"interleave", 1}, {"quarter", 2}};
  for (const auto& [name, mode] : modes) {
    OpTensor query(ACL_FLOAT, {2, 5, 4, 16});
    OpTensor key(ACL_FLOAT, {2, 5, 2, 16});
    OpTensor cos(ACL_FLOAT, {2, 5, 1, 16});
    OpTensor sin(ACL_FLOAT, {2, 5, 1, 16});
    query.fill_random(3);
    key.fill_random(4);
    fill_angles(cos, sin);
    std::string given = name;
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnApplyRotaryPosEmbV2GetWorkspaceSize(query.get(), key.get(), cos.get(), sin.get(), 1, given.data(),
                                                          n, e);
        },
        aclnnApplyRotaryPosEmbV2, {&key, &cos, &sin}, query);
    const std::int64_t number = mode;
    expect_elements(
        query, bytes, [&](std::int64_t i) { return rotated(query, cos, sin, number, i); }, false);
    expect_elements(
        key, key.download(), [&](std::int64_t i) { return rotated(key, cos, sin, number, i); }, false);
  }
}

TEST_F(Rope, TheFirstVersionRotatesHalves) {
  OpTensor query(ACL_BF16, {1, 3, 2, 8});
  OpTensor key(ACL_BF16, {1, 3, 2, 8});
  OpTensor cos(ACL_BF16, {1, 3, 1, 8});
  OpTensor sin(ACL_BF16, {1, 3, 1, 8});
  query.fill_random(3);
  key.fill_random(4);
  fill_angles(cos, sin);
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnApplyRotaryPosEmbGetWorkspaceSize(query.get(), key.get(), cos.get(), sin.get(), 1, n, e);
      },
      aclnnApplyRotaryPosEmb, {&key, &cos, &sin}, query);
  expect_elements(
      query, bytes, [&](std::int64_t i) { return rotated(query, cos, sin, 0, i); }, false);
}

TEST_F(Rope, AnglesComeFromACacheByPosition) {
  constexpr std::int64_t kTokens = 7;
  constexpr std::int64_t kHead = 16;
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (const bool neox : {true, false}) {
      for (const std::int64_t rotated_columns : {16, 8}) {
        for (const bool sections : {false, true}) {
          const std::int64_t half = rotated_columns / 2;
          OpTensor positions(ACL_INT64, sections ? Shape{3, kTokens} : Shape{kTokens});
          positions.fill([](std::int64_t i) -> Number { return Real((i * 5 + 3) % 11); });
          OpTensor query(type, {kTokens, 3 * kHead});
          OpTensor key(type, {kTokens, kHead});
          OpTensor cache(type, {11, rotated_columns});
          query.fill_random(3);
          key.fill_random(4);
          cache.fill([&](std::int64_t i) -> Number {
            const Real angle = Real(i / rotated_columns) * (1 + i % half) / 9;
            return i % rotated_columns < half ? std::cos(angle) : std::sin(angle);
          });
          const OpInts sizes({1, half - 2, 1});
          const OpTensor query_out(type, {kTokens, 3 * kHead});
          const OpTensor key_out(type, {kTokens, kHead});
          const auto bytes = run(
              [&](auto* n, auto** e) {
                return aclnnRopeWithSinCosCacheGetWorkspaceSize(positions.get(), query.get(), key.get(), cache.get(),
                                                                sections ? sizes.get() : nullptr, kHead, neox,
                                                                query_out.get(), key_out.get(), n, e);
              },
              aclnnRopeWithSinCosCache, {&positions, &query, &key, &cache, &key_out}, query_out);
          const auto expected = [&](const OpTensor& x, std::int64_t i) -> Number {
            const std::int64_t token = i / x.shape()[1];
            const std::int64_t d = i % kHead;
            if (d >= rotated_columns) return x.before(i);
            const Point point = point_of(neox ? 0 : 1, d, rotated_columns);
            const std::int64_t angle = neox ? point.first : point.first / 2;
            const std::int64_t row = !sections || angle == 0 ? 0 : angle == half - 1 ? 2 : 1;
            const auto position = static_cast<std::int64_t>(positions.before(row * kTokens + token).real());
            const Number cos = cache.before(position * rotated_columns + angle);
            const Number sin = cache.before(position * rotated_columns + half + angle);
            const Number first = x.before(i - d + point.first);
            const Number second = x.before(i - d + point.second);
            return point.is_second ? second * cos + first * sin : first * cos - second * sin;
          };
          expect_elements(
              query_out, bytes, [&](std::int64_t i) { return expected(query, i); }, false);
          expect_elements(
              key_out, key_out.download(), [&](std::int64_t i) { return expected(key, i); }, false);
        }
      }
    }
  }
}

TEST_F(Rope, RefusesOthers) {
  const OpTensor x(ACL_FLOAT, {2, 3, 5, 16});
  const OpTensor odd(ACL_FLOAT, {2, 3, 5, 15});
  const OpTensor angles(ACL_FLOAT, {1, 1, 5, 16});
  const OpTensor few(ACL_FLOAT, {1, 1, 5, 8});
  const OpTensor whole(ACL_INT32, {1, 1, 5, 16});
  const OpTensor out(ACL_FLOAT, {2, 3, 5, 16});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* given, const OpTensor& cos, std::int64_t mode, const OpTensor& to) {
    return aclnnRotaryPositionEmbeddingGetWorkspaceSize(given, cos.get(), angles.get(), mode, to.get(), &size,
                                                        &executor);
  };
  EXPECT_EQ(plan(nullptr, angles, 0, out), 161001);
  EXPECT_EQ(plan(x.get(), whole, 0, out), 161002);
  EXPECT_EQ(plan(x.get(), few, 0, out), 161002);
  EXPECT_EQ(plan(odd.get(), angles, 0, out), 161002);
  EXPECT_EQ(plan(x.get(), angles, 4, out), 161002);
  EXPECT_EQ(plan(x.get(), angles, 0, angles), 161002);
  EXPECT_EQ(plan(nullptr, angles, 9, out), 161001);
  const OpTensor positions(ACL_INT64, {3, 7});
  const OpTensor heads(ACL_FLOAT, {7, 16});
  const OpTensor rotated(ACL_FLOAT, {7, 16});
  const OpTensor too(ACL_FLOAT, {7, 16});
  const OpTensor cache(ACL_FLOAT, {11, 16});
  const OpInts negative({1000, -996, 4});
  EXPECT_EQ(
      aclnnRopeWithSinCosCacheGetWorkspaceSize(positions.get(), heads.get(), heads.get(), cache.get(), negative.get(),
                                               16, true, rotated.get(), too.get(), &size, &executor),
      161002);
  const OpTensor row(ACL_INT64, {7});
  const OpTensor key(ACL_FLOAT, {7, 16});
  const auto with_cache = [&](const OpTensor& query_out, const OpTensor& key_out) {
    return aclnnRopeWithSinCosCacheGetWorkspaceSize(row.get(), heads.get(), key.get(), cache.get(), nullptr, 16, true,
                                                    query_out.get(), key_out.get(), &size, &executor);
  };
  EXPECT_EQ(with_cache(heads, too), 161002);
  EXPECT_EQ(with_cache(rotated, key), 161002);
  EXPECT_EQ(with_cache(key, too), 161002);
  EXPECT_EQ(with_cache(rotated, rotated), 161002);
  char unknown[] = "third";
  EXPECT_EQ(aclnnApplyRotaryPosEmbV2GetWorkspaceSize(x.get(), out.get(), angles.get(), angles.get(), 1, unknown, &size,
                                                     &executor),
            161002);
  char half[] = "half";
  const auto apply = [&](const OpTensor& cos, const OpTensor& sin) {
    return aclnnApplyRotaryPosEmbV2GetWorkspaceSize(x.get(), out.get(), cos.get(), sin.get(), 1, half, &size,
                                                    &executor);
  };
  EXPECT_EQ(apply(x, angles), 161002);
  EXPECT_EQ(apply(angles, x), 161002);
  EXPECT_EQ(aclnnApplyRotaryPosEmbV2GetWorkspaceSize(x.get(), out.get(), angles.get(), angles.get(), 0, half, &size,
                                                     &executor),
            161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
