#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_permute.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

const std::vector<aclDataType> kTypes = {ACL_INT8, ACL_FLOAT16, ACL_FLOAT, ACL_INT64, ACL_COMPLEX64, ACL_COMPLEX128};

/// Copies whose elements lie side by side along different dims of both sides.
class Transposes : public OpTest {
 protected:
  static void fill_numbers(OpTensor& tensor) {
    tensor.fill([](std::int64_t i) { return Real(i * 7919 % 113 - 56); });
  }

  static void check_copy(aclDataType type, const Shape& shape, const View& from, const View& to = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", shape " << testing::PrintToString(shape));
    OpTensor source(type, shape, from);
    fill_numbers(source);
    const OpTensor out(type, shape, to);
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnInplaceCopyGetWorkspaceSize(out.get(), source.get(), n, e); },
            aclnnInplaceCopy, {&source}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return source.before(i); }, true);
  }

  static void check_permute(aclDataType type, const Shape& shape, const Shape& order) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", shape " << testing::PrintToString(shape));
    OpTensor self(type, shape);
    fill_numbers(self);
    Shape result;
    for (const std::int64_t dim : order) result.push_back(shape[static_cast<std::size_t>(dim)]);
    const OpTensor out(type, result);
    const OpInts dims(order);
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnPermuteGetWorkspaceSize(self.get(), dims.get(), out.get(), n, e); },
            aclnnPermute, {&self}, out);
    const auto expected = [&](std::int64_t i) {
      const Shape at = coordinates_of(i, result);
      Shape from(shape.size());
      for (std::size_t k = 0; k < order.size(); ++k) from[static_cast<std::size_t>(order[k])] = at[k];
      return self.before(element_at(from, shape));
    };
    expect_elements(out, bytes, expected, true);
  }
};

TEST_F(Transposes, CopiesMatricesOfAnyDtype) {
  for (const aclDataType type : kTypes) {
    check_copy(type, {72, 104}, {{1, 72}});
    check_copy(type, {104, 72}, {}, {{1, 104}});
    check_copy(type, {67, 131}, {{1, 67}});
    check_copy(type, {64, 131}, {{1, 64}});
    check_copy(type, {67, 128}, {{1, 67}});
  }
}

TEST_F(Transposes, SidesMayHaveGapsAndBeginAnywhere) {
  for (const aclDataType type : {ACL_INT8, ACL_FLOAT16, ACL_FLOAT, ACL_INT64}) {
    check_copy(type, {72, 104}, {{1, 96}, 8}, {{160, 1}, 32});
    check_copy(type, {72, 104}, {{1, 73}, 3}, {{104, 1}, 1});
    check_copy(type, {64, 104}, {{1, 64}, 5});
    check_copy(type, {3, 64, 40}, {{2560, 1, 64}}, {{4096, 64, 1}, 64});
  }
}

TEST_F(Transposes, OtherDimsMayLieAnywhere) {
  for (const aclDataType type : {ACL_INT8, ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE}) {
    check_permute(type, {3, 8, 5, 64}, {0, 3, 1, 2});
    check_permute(type, {2, 40, 3, 24}, {2, 3, 0, 1});
    check_permute(type, {2, 3, 5, 7, 16, 2}, {4, 1, 5, 3, 0, 2});
    check_permute(type, {3, 2, 2, 3, 2, 2, 9, 17}, {7, 1, 0, 5, 4, 3, 2, 6});
    check_permute(type, {8, 16, 2, 64}, {0, 2, 1, 3});
  }
  check_copy(ACL_FLOAT, {3, 64, 40}, {{0, 1, 64}});
}

TEST_F(Transposes, RowsMayBeLong) {
  check_copy(ACL_FLOAT, {8, 70001}, {{1, 8}});
  check_copy(ACL_INT64, {70001, 9}, {{1, 70001}});
  check_copy(ACL_INT8, {70008, 8}, {{1, 70008}});
}

}  // namespace
}  // namespace aclvk::test
