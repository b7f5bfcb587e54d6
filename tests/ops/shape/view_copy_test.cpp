#include "aclnnop/aclnn_view_copy.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

/// Numbers that describe a view, in device memory.
struct Described {
  OpTensor size;
  OpTensor stride;
  OpTensor offset;

  Described(aclDataType type, const Shape& sizes, const Shape& strides, std::int64_t start)
      : size(type, {static_cast<std::int64_t>(sizes.size())}),
        stride(type, {static_cast<std::int64_t>(sizes.size())}),
        offset(type, {1}) {
    size.fill([&](std::int64_t i) -> Number { return Real(sizes[static_cast<std::size_t>(i)]); });
    stride.fill([&](std::int64_t i) -> Number { return Real(strides[static_cast<std::size_t>(i)]); });
    offset.fill([&](std::int64_t) -> Number { return Real(start); });
  }
  std::vector<const OpTensor*> tensors() const { return {&size, &stride, &offset}; }
};

class ViewCopy : public OpTest {
 protected:
  static Plan plan(const OpTensor& dst, const Described& to, const OpTensor& src, const Described& from,
                   const OpTensor& out) {
    return [&](uint64_t* n, aclOpExecutor** e) {
      return aclnnViewCopyGetWorkspaceSize(dst.get(), to.size.get(), to.stride.get(), to.offset.get(), src.get(),
                                           from.size.get(), from.stride.get(), from.offset.get(), out.get(), n, e);
    };
  }
  static std::vector<const OpTensor*> inputs(const OpTensor& src, const Described& to, const Described& from) {
    std::vector<const OpTensor*> all = {&src};
    for (const Described* one : {&to, &from}) {
      for (const OpTensor* tensor : one->tensors()) all.push_back(tensor);
    }
    return all;
  }
  static std::int64_t place(std::int64_t element, const Shape& sizes, const Shape& strides, std::int64_t start) {
    const Shape at = coordinates_of(element, sizes);
    for (std::size_t i = 0; i < at.size(); ++i) start += at[i] * strides[i];
    return start;
  }
};

TEST_F(ViewCopy, CopiesBetweenViewsThatMemoryDescribes) {
  const Shape to_sizes = {3, 4};
  const Shape to_strides = {10, 2};
  const Shape from_sizes = {2, 3, 2};
  const Shape from_strides = {1, 7, 3};
  for (const aclDataType type : {ACL_FLOAT16, ACL_FLOAT, ACL_BF16, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_UINT16,
                                 ACL_INT32, ACL_UINT32, ACL_BOOL, ACL_INT64}) {
    for (const aclDataType numbers : {ACL_INT32, ACL_INT64}) {
      for (const bool separate : {false, true}) {
        SCOPED_TRACE("dtype " + std::to_string(type));
        OpTensor dst(type, {40});
        OpTensor src(type, {30});
        OpTensor out(type, {40});
        dst.fill_random(1);
        src.fill_random(2);
        const Described to(numbers, to_sizes, to_strides, 3);
        const Described from(numbers, from_sizes, from_strides, 4);
        const OpTensor& result = separate ? out : dst;
        std::vector<const OpTensor*> all = inputs(src, to, from);
        all.push_back(&dst);
        const auto bytes = run(plan(dst, to, src, from, result), aclnnViewCopy, all, result);
        std::vector<Number> expected;
        for (std::int64_t i = 0; i < 40; ++i) expected.push_back(dst.before(i));
        for (std::int64_t i = 0; i < 12; ++i) {
          expected[static_cast<std::size_t>(place(i, to_sizes, to_strides, 3))] =
              src.before(place(i, from_sizes, from_strides, 4));
        }
        expect_elements(
            result, bytes, [&](std::int64_t i) { return expected[static_cast<std::size_t>(i)]; }, true);
      }
    }
  }
}

TEST_F(ViewCopy, LeavesOutWhatIsInNoStorage) {
  OpTensor dst(ACL_INT32, {10});
  OpTensor src(ACL_INT32, {4});
  dst.fill_random(1);
  src.fill_random(2);
  const Described to(ACL_INT64, {6}, {3}, 1);    // 1, 4, 7, then beyond
  const Described from(ACL_INT64, {6}, {2}, 0);  // 0, 2, then beyond
  const auto bytes = run(plan(dst, to, src, from, dst), aclnnViewCopy, inputs(src, to, from), dst);
  expect_elements(
      dst, bytes, [&](std::int64_t i) { return i == 1   ? src.before(0)
                                               : i == 4 ? src.before(2)
                                                        : dst.before(i); },
      true);
}

TEST_F(ViewCopy, RefusesOthers) {
  const OpTensor dst(ACL_FLOAT, {10});
  const OpTensor src(ACL_FLOAT, {10});
  const OpTensor halves(ACL_FLOAT16, {10});
  const OpTensor doubles(ACL_DOUBLE, {10});
  const OpTensor other(ACL_FLOAT, {9});
  const Described to(ACL_INT64, {2}, {1}, 0);
  const Described narrow(ACL_INT32, {2}, {1}, 0);
  const Described floats(ACL_FLOAT, {2}, {1}, 0);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto code = [&](const OpTensor& target, const Described& there, const OpTensor& source, const Described& here,
                        const OpTensor& out) { return plan(target, there, source, here, out)(&size, &executor); };
  EXPECT_EQ(aclnnViewCopyGetWorkspaceSize(nullptr, to.size.get(), to.stride.get(), to.offset.get(), src.get(),
                                          to.size.get(), to.stride.get(), to.offset.get(), dst.get(), &size, &executor),
            161001);
  EXPECT_EQ(aclnnViewCopyGetWorkspaceSize(dst.get(), to.size.get(), nullptr, to.offset.get(), src.get(), to.size.get(),
                                          to.stride.get(), to.offset.get(), dst.get(), &size, &executor),
            161001);
  EXPECT_EQ(code(dst, to, halves, to, dst), 161002);
  EXPECT_EQ(code(doubles, to, doubles, to, doubles), 161002);
  EXPECT_EQ(code(dst, to, src, to, other), 161002);
  EXPECT_EQ(code(dst, to, src, narrow, dst), 161002);
  EXPECT_EQ(code(dst, floats, src, floats, dst), 161002);
  EXPECT_EQ(code(dst, to, dst, to, dst), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
