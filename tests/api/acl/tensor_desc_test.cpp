// aclTensorDesc: T238, T239 and section 12.4.
#include "support/memory_fixture.hpp"

namespace aclvk::test {
namespace {

struct TensorDesc : Plain {
  TensorDesc() : desc(aclCreateTensorDesc(ACL_FLOAT16, 2, dims, ACL_FORMAT_NCHW)) {}
  ~TensorDesc() override { aclDestroyTensorDesc(desc); }

  const int64_t dims[2] = {3, 5};
  aclTensorDesc* desc;
};

TEST_F(TensorDesc, T238_Create) {
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, -1, dims, ACL_FORMAT_ND), nullptr);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 2, nullptr, ACL_FORMAT_ND), nullptr);
  aclTensorDesc* scalar = aclCreateTensorDesc(ACL_FLOAT, 0, nullptr, ACL_FORMAT_ND);
  ASSERT_NE(scalar, nullptr);
  EXPECT_EQ(aclGetTensorDescElementCount(scalar), 1U);
  EXPECT_EQ(aclGetTensorDescSize(scalar), 4U);
  EXPECT_EQ(aclGetTensorDescNumDims(scalar), 0U);
  aclDestroyTensorDesc(scalar);
}

TEST_F(TensorDesc, T239_UnknownDimensions) {
  const int64_t unknown_dim[] = {2, -1};
  aclTensorDesc* dynamic = aclCreateTensorDesc(ACL_FLOAT, 2, unknown_dim, ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescElementCount(dynamic), 0U);
  EXPECT_EQ(aclGetTensorDescNumDims(dynamic), 2U);
  const int64_t unknown_rank[] = {-2};
  aclTensorDesc* any = aclCreateTensorDesc(ACL_FLOAT, 1, unknown_rank, ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescNumDims(any), ACL_UNKNOWN_RANK);
  EXPECT_EQ(ACL_UNKNOWN_RANK, 0xFFFFFFFFFFFFFFFE);
  aclDestroyTensorDesc(dynamic);
  aclDestroyTensorDesc(any);
}

TEST_F(TensorDesc, Getters) {
  EXPECT_EQ(aclGetTensorDescType(desc), ACL_FLOAT16);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_NCHW);
  EXPECT_EQ(aclGetTensorDescElementCount(desc), 15U);
  EXPECT_EQ(aclGetTensorDescSize(desc), 30U);
  EXPECT_EQ(aclGetTensorDescNumDims(desc), 2U);
  EXPECT_EQ(aclGetTensorDescDim(desc, 1), 5);
  EXPECT_EQ(aclGetTensorDescDim(desc, 2), -1);
  EXPECT_STREQ(aclGetTensorDescName(desc), "");
  aclSetTensorDescName(desc, "weights");
  EXPECT_STREQ(aclGetTensorDescName(desc), "weights");
}

TEST_F(TensorDesc, GettersOfNull) {
  EXPECT_EQ(aclGetTensorDescType(nullptr), ACL_DT_UNDEFINED);
  EXPECT_EQ(aclGetTensorDescFormat(nullptr), ACL_FORMAT_UNDEFINED);
  EXPECT_EQ(aclGetTensorDescElementCount(nullptr), 0U);
  EXPECT_EQ(aclGetTensorDescSize(nullptr), 0U);
  EXPECT_EQ(aclGetTensorDescNumDims(nullptr), 0U);
  EXPECT_EQ(aclGetTensorDescDim(nullptr, 0), -1);
  EXPECT_STREQ(aclGetTensorDescName(nullptr), "");
  aclSetTensorDescName(nullptr, "x");
  aclDestroyTensorDesc(nullptr);
}

TEST_F(TensorDesc, DimV2) {
  int64_t dim = 0;
  EXPECT_EQ(aclGetTensorDescDimV2(desc, 0, &dim), 0);
  EXPECT_EQ(dim, 3);
  EXPECT_EQ(aclGetTensorDescDimV2(desc, 2, &dim), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetTensorDescDimV2(nullptr, 0, &dim), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetTensorDescDimV2(desc, 0, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(TensorDesc, Ranges) {
  int64_t ranges[2][2] = {{1, 10}, {2, 20}};
  int64_t range[2] = {};
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 0, 2, range), ACL_ERROR_INVALID_PARAM) << "none set";
  ASSERT_EQ(aclSetTensorShapeRange(desc, 2, ranges), 0);
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 1, 2, range), 0);
  EXPECT_EQ(range[0], 2);
  EXPECT_EQ(range[1], 20);
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 2, 2, range), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 0, 1, range), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorShapeRange(nullptr, 2, ranges), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorValueRange(desc, 2, ranges), 0);
}

TEST_F(TensorDesc, SettersOfFormatsIgnoreNull) {
  EXPECT_EQ(aclSetTensorFormat(nullptr, ACL_FORMAT_ND), 0);
  EXPECT_EQ(aclSetTensorStorageFormat(nullptr, ACL_FORMAT_ND), 0);
  EXPECT_EQ(aclSetTensorOriginFormat(nullptr, ACL_FORMAT_ND), 0);
}

TEST_F(TensorDesc, SettersOfShapesRefuseNull) {
  EXPECT_EQ(aclSetTensorShape(nullptr, 2, dims), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorStorageShape(nullptr, 2, dims), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorOriginShape(nullptr, 2, dims), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorShape(desc, -1, dims), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorShape(desc, 2, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(TensorDesc, TheVisibleFormatAndShapeAreTheOriginOnes) {
  const int64_t other[] = {7};
  EXPECT_EQ(aclSetTensorFormat(desc, ACL_FORMAT_FRACTAL_NZ), 0);
  EXPECT_EQ(aclSetTensorShape(desc, 1, other), 0);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_NCHW);
  EXPECT_EQ(aclGetTensorDescNumDims(desc), 2U);
  EXPECT_EQ(aclSetTensorOriginFormat(desc, ACL_FORMAT_NHWC), 0);
  EXPECT_EQ(aclSetTensorOriginShape(desc, 1, other), 0);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_NHWC);
  EXPECT_EQ(aclGetTensorDescNumDims(desc), 1U);
}

TEST_F(TensorDesc, OtherSetters) {
  int data = 1;
  EXPECT_EQ(aclSetTensorConst(desc, &data, sizeof(data)), 0);
  EXPECT_EQ(aclSetTensorConst(desc, nullptr, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorConst(desc, &data, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorConst(nullptr, &data, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorPlaceMent(desc, ACL_MEMTYPE_HOST), 0);
  EXPECT_EQ(aclSetTensorPlaceMent(nullptr, ACL_MEMTYPE_HOST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorDynamicInput(desc, "x"), 0);
  EXPECT_EQ(aclSetTensorDynamicInput(nullptr, "x"), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetTensorDynamicInput(desc, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(TensorDesc, DestroyedDescriptionsAreNoCrash) {
  aclDestroyTensorDesc(desc);
  EXPECT_EQ(aclGetTensorDescType(desc), ACL_DT_UNDEFINED);
  EXPECT_EQ(aclSetTensorShape(desc, 2, dims), ACL_ERROR_INVALID_PARAM);
  aclDestroyTensorDesc(desc);
}

TEST_F(TensorDesc, ChangesTheOrderOfItsAxes) {
  const int64_t nchw[] = {2, 3, 5, 7};
  aclTensorDesc* image = aclCreateTensorDesc(ACL_FLOAT, 4, nchw, ACL_FORMAT_NCHW);
  int64_t ranges[4][2] = {{1, 2}, {3, 3}, {5, 50}, {7, 70}};
  ASSERT_EQ(aclSetTensorShapeRange(image, 4, ranges), 0);
  aclTensorDesc* converted = nullptr;
  ASSERT_EQ(aclTransTensorDescFormat(image, ACL_FORMAT_NHWC, &converted), 0);
  EXPECT_EQ(aclGetTensorDescFormat(converted), ACL_FORMAT_NHWC);
  EXPECT_EQ(aclGetTensorDescType(converted), ACL_FLOAT);
  const int64_t expected[] = {2, 5, 7, 3};
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(aclGetTensorDescDim(converted, i), expected[i]);
  int64_t range[2] = {};
  EXPECT_EQ(aclGetTensorDescDimRange(converted, 1, 2, range), 0);
  EXPECT_EQ(range[1], 50);
  EXPECT_EQ(aclGetTensorDescDim(image, 1), 3) << "the original stays";
  aclDestroyTensorDesc(converted);

  const int64_t hwcn[] = {5, 7, 3, 2};
  ASSERT_EQ(aclTransTensorDescFormat(image, ACL_FORMAT_HWCN, &converted), 0);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(aclGetTensorDescDim(converted, i), hwcn[i]);
  aclDestroyTensorDesc(converted);
  aclDestroyTensorDesc(image);
}

TEST_F(TensorDesc, OfTheSameFormatIsACopy) {
  aclTensorDesc* same = nullptr;
  ASSERT_EQ(aclTransTensorDescFormat(desc, ACL_FORMAT_NCHW, &same), 0);
  EXPECT_NE(same, desc);
  EXPECT_EQ(aclGetTensorDescNumDims(same), 2U);
  EXPECT_EQ(aclGetTensorDescDim(same, 1), 5);
  aclDestroyTensorDesc(same);
}

TEST_F(TensorDesc, KeepsToFormatsThatAreOrdersOfAxes) {
  aclTensorDesc* converted = nullptr;
  EXPECT_EQ(aclTransTensorDescFormat(desc, ACL_FORMAT_NHWC, &converted), ACL_ERROR_INVALID_PARAM) << "it has two dims";
  EXPECT_EQ(aclTransTensorDescFormat(desc, ACL_FORMAT_NC1HWC0, &converted), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclTransTensorDescFormat(desc, ACL_FORMAT_NDHWC, &converted), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclTransTensorDescFormat(nullptr, ACL_FORMAT_NHWC, &converted), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclTransTensorDescFormat(desc, ACL_FORMAT_NHWC, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(converted, nullptr);
}

TEST_F(TensorDesc, IsTheFirstAndOnlyOneOfItsArray) {
  EXPECT_EQ(aclGetTensorDescByIndex(desc, 0), desc);
  EXPECT_EQ(aclGetTensorDescByIndex(desc, 1), nullptr);
  EXPECT_EQ(aclGetTensorDescByIndex(nullptr, 0), nullptr);
}

TEST_F(TensorDesc, HasTheAddressOfItsConstant) {
  EXPECT_EQ(aclGetTensorDescAddress(nullptr), nullptr);
  EXPECT_EQ(aclGetTensorDescAddress(desc), nullptr);
  uint16_t value = 0x3C00;
  ASSERT_EQ(aclSetTensorConst(desc, &value, sizeof(value)), 0);
  value = 0;
  const void* kept = aclGetTensorDescAddress(desc);
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(*static_cast<const uint16_t*>(kept), 0x3C00) << "a copy";
}

}  // namespace
}  // namespace aclvk::test
