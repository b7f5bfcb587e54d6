#include "ops/tensor/promotion.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace aclvk::ops {
namespace {

using D = DType;

// torch.promote_types, written out for the dtypes that have a letter below; '-' where there is none.
const std::map<char, D> kLetters = {{'b', D::kBool},      {'u', D::kUint8},  {'i', D::kInt8},      {'s', D::kInt16},
                                    {'n', D::kInt32},     {'l', D::kInt64},  {'h', D::kFloat16},   {'B', D::kBfloat16},
                                    {'f', D::kFloat},     {'d', D::kDouble}, {'x', D::kComplex32}, {'c', D::kComplex64},
                                    {'z', D::kComplex128}};
const std::string kOrder = "buisnlhBfdxcz";
const char* const kTable[] = {
    "buisnlhBfdxcz",  // bool
    "uussnlhBfdxcz",  // uint8
    "isisnlhBfdxcz",  // int8
    "ssssnlhBfdxcz",  // int16
    "nnnnnlhBfdxcz",  // int32
    "llllllhBfdxcz",  // int64
    "hhhhhhhffdxcz",  // float16
    "BBBBBBfBfdccz",  // bfloat16: complex32 does not hold it
    "fffffffffdccz",  // float
    "ddddddddddzzz",  // double
    "xxxxxxxcczxcz",  // complex32
    "ccccccccczccz",  // complex64
    "zzzzzzzzzzzzz",  // complex128
};

TEST(Promotion, CombinesTensorsLikeTorch) {
  for (std::size_t row = 0; row < kOrder.size(); ++row) {
    for (std::size_t column = 0; column < kOrder.size(); ++column) {
      const D first = kLetters.at(kOrder[row]);
      const D second = kLetters.at(kOrder[column]);
      const auto promoted = promote(first, second);
      ASSERT_TRUE(promoted.has_value());
      EXPECT_EQ(name_of(*promoted), name_of(kLetters.at(kTable[row][column])))
          << name_of(first) << " " << name_of(second);
    }
  }
}

TEST(Promotion, DoesNotPromoteLateUnsignedTypes) {
  for (const D dtype : {D::kUint16, D::kUint32, D::kUint64}) {
    EXPECT_EQ(promote(dtype, dtype), dtype);
    EXPECT_FALSE(promote(dtype, D::kInt32).has_value());
    EXPECT_FALSE(promote(D::kFloat, dtype).has_value());
    EXPECT_EQ(promote(dtype, D::kComplex64), D::kComplex64);
  }
  EXPECT_FALSE(promote(D::kUint16, D::kUint32).has_value());
}

TEST(Promotion, RefusesTypesWithoutArithmetic) {
  EXPECT_FALSE(promote(D::kFloat8E5M2, D::kFloat).has_value());
  EXPECT_FALSE(promote(D::kFloat, static_cast<D>(99)).has_value());
}

TEST(Promotion, LetsTheTensorWinInsideACategory) {
  EXPECT_EQ(promote_scalar(D::kFloat16, D::kFloat), D::kFloat16);
  EXPECT_EQ(promote_scalar(D::kBfloat16, D::kDouble), D::kBfloat16);
  EXPECT_EQ(promote_scalar(D::kInt8, D::kInt64), D::kInt8);
  EXPECT_EQ(promote_scalar(D::kInt32, D::kFloat), D::kFloat);
  EXPECT_EQ(promote_scalar(D::kInt64, D::kDouble), D::kFloat);
  EXPECT_EQ(promote_scalar(D::kBool, D::kInt32), D::kInt32);
  EXPECT_EQ(promote_scalar(D::kBool, D::kBool), D::kBool);
  EXPECT_EQ(promote_scalar(D::kFloat16, D::kComplex64), D::kComplex32);
  EXPECT_EQ(promote_scalar(D::kBfloat16, D::kComplex128), D::kComplex64);
  EXPECT_EQ(promote_scalar(D::kInt32, D::kComplex64), D::kComplex64);
  EXPECT_EQ(promote_scalar(D::kDouble, D::kComplex64), D::kComplex128);
  EXPECT_EQ(promote_scalar(D::kComplex64, D::kFloat), D::kComplex64);
}

TEST(Promotion, CastsOnlyWhereNothingIsDropped) {
  EXPECT_TRUE(can_cast(D::kInt32, D::kFloat16));
  EXPECT_TRUE(can_cast(D::kInt64, D::kInt8));
  EXPECT_TRUE(can_cast(D::kDouble, D::kFloat16));
  EXPECT_TRUE(can_cast(D::kFloat, D::kComplex64));
  EXPECT_TRUE(can_cast(D::kBool, D::kInt8));
  EXPECT_TRUE(can_cast(D::kBool, D::kBool));
  EXPECT_FALSE(can_cast(D::kFloat, D::kInt32));
  EXPECT_FALSE(can_cast(D::kComplex64, D::kFloat));
  EXPECT_FALSE(can_cast(D::kInt8, D::kBool));
  EXPECT_FALSE(can_cast(D::kFloat, D::kBool));
}

}  // namespace
}  // namespace aclvk::ops
