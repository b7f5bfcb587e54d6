#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "support/op_arguments.hpp"

namespace aclvk::test {

/// The result in a tensor of dynamic length: the view that the handle has after the second phase.
class DynamicLengthTensor {
 public:
  DynamicLengthTensor(const OpTensor& tensor, std::int64_t offset, const std::vector<std::byte>& before)
      : DynamicLengthTensor(tensor, tensor.memory(), offset, before) {}
  /// Reads the tensor at another address.
  DynamicLengthTensor(const OpTensor& tensor, const void* memory, std::int64_t offset,
                      const std::vector<std::byte>& before)
      : type_(tensor.type()), offset_(offset), bytes_(tensor.download_from(memory)) {
    std::int64_t* sizes = nullptr;
    std::uint64_t rank = 0;
    EXPECT_EQ(aclGetViewShape(tensor.get(), &sizes, &rank), 0);
    shape.assign(sizes, sizes + rank);
    delete[] sizes;
    EXPECT_EQ(aclGetViewStrides(tensor.get(), &sizes, &rank), 0);
    strides_.assign(sizes, sizes + rank);
    delete[] sizes;
    rest_is_untouched = others_of(bytes_) == others_of(before);
  }

  Shape shape;
  bool rest_is_untouched = false;  ///< memory outside of the view has not changed

  std::int64_t count() const { return count_of(shape); }
  /// An element in row-major order.
  Number operator[](std::int64_t element) const {
    return read_element(bytes_.data() + place_of(element) * width(), type_);
  }
  bool is_same_as(const DynamicLengthTensor& other) const { return shape == other.shape && bytes_ == other.bytes_; }
  std::vector<Number> elements() const {
    std::vector<Number> all;
    for (std::int64_t i = 0; i < count(); ++i) all.push_back((*this)[i]);
    return all;
  }

 private:
  std::size_t width() const { return aclDataTypeSize(type_); }
  std::size_t place_of(std::int64_t element) const {
    const Shape at = coordinates_of(element, shape);
    std::int64_t place = offset_;
    for (std::size_t i = 0; i < at.size(); ++i) place += at[i] * strides_[i];
    return static_cast<std::size_t>(place);
  }
  std::vector<std::byte> others_of(std::vector<std::byte> bytes) const {
    for (std::int64_t i = 0; i < count(); ++i) {
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(place_of(i) * width()), width(), std::byte{0});
    }
    return bytes;
  }

  aclDataType type_;
  std::int64_t offset_;
  Shape strides_;
  std::vector<std::byte> bytes_;
};

/// A result tensor and its offset in the storage.
struct ExpectedTensor {
  const OpTensor* tensor;
  std::int64_t offset = 0;
};

/// The fixture for operators with results of dynamic length. Such operators cannot be captured: each case checks that
/// they refuse a capture, that they can be planned before their tensors have addresses, and that they refuse unknown
/// formats.
class DynamicLengthTest : public OpTest {
 protected:
  static std::vector<DynamicLengthTensor> find(const Plan& plan, Launch launch,
                                               const std::vector<const OpTensor*>& inputs,
                                               const std::vector<ExpectedTensor>& results) {
    for (const OpTensor* input : inputs) input->upload();
    for (const ExpectedTensor& result : results) result.tensor->upload();
    std::vector<std::vector<std::byte>> before;
    for (const ExpectedTensor& result : results) before.push_back(result.tensor->download());
    refuse_captured(plan, launch);
    for (const OpTensor* input : inputs) EXPECT_TRUE(blocks_are_refused(plan, *input)) << "an input in blocks is taken";
    for (const ExpectedTensor& result : results) {
      EXPECT_TRUE(blocks_are_refused(plan, *result.tensor)) << "a result in blocks is taken";
    }
    run_waiting(plan, launch);
    std::vector<DynamicLengthTensor> found;
    for (std::size_t i = 0; i < results.size(); ++i)
      found.emplace_back(*results[i].tensor, results[i].offset, before[i]);
    for (const DynamicLengthTensor& tensor : found)
      EXPECT_TRUE(tensor.rest_is_untouched) << "elements behind were written";
    if (!HasFatalFailure() && !IsSkipped()) expect_addresses_may_come_later(plan, launch, inputs, results, found);
    return found;
  }

  /// Checks that a launch into a capture is refused, uses up the executor, and leaves the capture intact.
  static void refuse_captured(const Plan& plan, Launch launch) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(plan(&size, &executor), 0) << aclGetRecentErrMsg();
    void* workspace = nullptr;
    ASSERT_EQ(aclrtMalloc(&workspace, size + 1, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    aclmdlRI model = nullptr;
    ASSERT_EQ(aclmdlRICaptureBegin(stream(), ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
    EXPECT_EQ(launch(workspace, size, executor, stream()), 107027);
    EXPECT_EQ(launch(workspace, size, executor, stream()), 161001);
    EXPECT_EQ(aclmdlRICaptureEnd(stream(), &model), 0);
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
    aclrtFree(workspace);
  }

  /// Checks that an operator planned with NULL addresses gives the same results at two sets of addresses.
  static void expect_addresses_may_come_later(const Plan& plan, Launch launch,
                                              const std::vector<const OpTensor*>& inputs,
                                              const std::vector<ExpectedTensor>& results,
                                              const std::vector<DynamicLengthTensor>& found) {
    std::vector<const OpTensor*> tensors = inputs;
    for (const ExpectedTensor& result : results) tensors.push_back(result.tensor);
    if (bytes_of(tensors) > kMostBytesPlacedLater) return;
    for (const OpTensor* tensor : tensors) tensor->describe(tensor->format());  // with the maximal shape
    for (const OpTensor* tensor : tensors) tensor->place(nullptr);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(plan(&size, &executor), 0) << "planned without memory: " << aclGetRecentErrMsg();
    if (executor) {
      EXPECT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
      for (const auto where : {&OpTensor::memory, &OpTensor::other_memory}) {
        for (const OpTensor* tensor : tensors) tensor->upload_to((tensor->*where)());
        for (const OpTensor* tensor : tensors) tensor->place((tensor->*where)());
        launch_waiting(launch, size, executor);
        for (std::size_t i = 0; i < results.size(); ++i) {
          const OpTensor& tensor = *results[i].tensor;
          void* const memory = (tensor.*where)();
          const DynamicLengthTensor later(tensor, memory, results[i].offset, tensor.download_from(memory));
          EXPECT_TRUE(later.is_same_as(found[i]))
              << "result " << i << " is another where addresses come after the plan";
        }
      }
      EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
    }
    for (const OpTensor* tensor : tensors) tensor->place(tensor->memory());
  }

  /// Checks that the work is complete when the second phase returns, so that the workspace may be freed.
  static void run_waiting(const Plan& plan, Launch launch) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(plan(&size, &executor), 0) << aclGetRecentErrMsg();
    launch_waiting(launch, size, executor);
  }
  static void launch_waiting(Launch launch, uint64_t size, aclOpExecutor* executor) {
    void* workspace = nullptr;
    ASSERT_EQ(aclrtMalloc(&workspace, size + 1, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    const aclnnStatus launched = launch(workspace, size, executor, stream());
    aclrtFree(workspace);
    skip_if_lacking(launched);
    ASSERT_EQ(launched, 0) << aclGetRecentErrMsg();
  }

  static void expect_equal(const DynamicLengthTensor& found, const std::vector<Number>& expected) {
    ASSERT_EQ(found.count(), static_cast<std::int64_t>(expected.size()));
    for (std::int64_t i = 0; i < found.count(); ++i) {
      const Number want = expected[static_cast<std::size_t>(i)];
      ASSERT_TRUE(is_equal(found[i], want))
          << "element " << i << " is " << text_of(found[i]) << "; expected " << text_of(want);
    }
  }
};

}  // namespace aclvk::test
