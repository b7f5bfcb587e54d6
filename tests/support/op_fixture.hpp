#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "support/lacking.hpp"
#include "support/numbers.hpp"

namespace aclvk::test {

using Shape = std::vector<std::int64_t>;

inline std::int64_t count_of(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

/// Names a test of a dtype after it, without the prefix of the interface. Places in a list change with it.
inline std::string name_of_dtype(const testing::TestParamInfo<aclDataType>& tested) {
  switch (tested.param) {
    case ACL_FLOAT: return "FLOAT";
    case ACL_FLOAT16: return "FLOAT16";
    case ACL_BF16: return "BF16";
    case ACL_DOUBLE: return "DOUBLE";
    case ACL_INT8: return "INT8";
    case ACL_INT16: return "INT16";
    case ACL_INT32: return "INT32";
    case ACL_INT64: return "INT64";
    case ACL_UINT8: return "UINT8";
    case ACL_UINT16: return "UINT16";
    case ACL_UINT32: return "UINT32";
    case ACL_UINT64: return "UINT64";
    case ACL_BOOL: return "BOOL";
    case ACL_COMPLEX32: return "COMPLEX32";
    case ACL_COMPLEX64: return "COMPLEX64";
    case ACL_COMPLEX128: return "COMPLEX128";
    default: return "other" + std::to_string(tested.param);
  }
}

/// Strides and offset of a test's tensor in its storage. The defaults are a contiguous tensor.
struct View {
  Shape strides;
  std::int64_t offset = 0;
  std::int64_t trailing = 0;  ///< elements of the storage that follow the last one of the tensor
};

/// A tensor on the device, with a copy of its storage on the host. The bytes between the elements are filled, too, so
/// that tests detect a kernel that writes outside of its elements.
class OpTensor {
 public:
  OpTensor(aclDataType type, Shape shape, View view = {}) : type_(type), shape_(std::move(shape)), view_(view) {
    if (view_.strides.empty()) view_.strides = row_major(shape_);
    std::int64_t last = view_.offset;
    for (std::size_t i = 0; i < shape_.size(); ++i) last += std::max<std::int64_t>(shape_[i] - 1, 0) * view_.strides[i];
    storage_ = last + 1 + view_.trailing;
    initial_.resize(static_cast<std::size_t>(storage_) * width(), std::byte{0x5A});
    if (type == ACL_BOOL) std::fill(initial_.begin(), initial_.end(), std::byte{1});
    EXPECT_EQ(aclrtMalloc(&memory_, initial_.size(), ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    handle_ = aclCreateTensor(shape_.data(), shape_.size(), type_, view_.strides.data(), view_.offset, ACL_FORMAT_ND,
                              &storage_, 1, memory_);
    handles_.push_back(handle_);
  }
  ~OpTensor() {
    aclDestroyTensor(handle_);
    aclrtFree(memory_);
    if (other_memory_) aclrtFree(other_memory_);
  }
  OpTensor(const OpTensor&) = delete;
  OpTensor& operator=(const OpTensor&) = delete;

  aclTensor* get() const { return handle_; }
  void* memory() const { return memory_; }
  /// Adds a handle of this memory that the caller owns.
  void also(aclTensor* handle) const { handles_.push_back(handle); }

  std::size_t bytes() const { return initial_.size(); }
  /// Returns a second allocation of the size of the storage.
  void* other_memory() const {
    if (!other_memory_) {
      EXPECT_EQ(aclrtMalloc(&other_memory_, initial_.size(), ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    }
    return other_memory_;
  }
  /// Sets the tensor's address, which may be NULL.
  void place(void* memory) const {
    for (aclTensor* handle : handles_) aclSetRawTensorAddr(handle, memory);
  }
  int format() const { return format_; }
  bool has_other_handles() const { return handles_.size() > 1; }
  /// Initialises the handle again, with another format.
  void describe(int format) const {
    format_ = format;
    EXPECT_EQ(aclInitTensor(handle_, shape_.data(), shape_.size(), type_, view_.strides.data(), view_.offset,
                            static_cast<aclFormat>(format), &storage_, 1, memory_),
              0);
  }
  aclDataType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  std::int64_t count() const { return count_of(shape_); }

  /// Sets the elements, in row-major order, to value(i), rounded to the dtype.
  OpTensor& fill(const std::function<Number(std::int64_t)>& value) {
    for (std::int64_t i = 0; i < count(); ++i) write_element(initial_.data() + at(i), type_, value(i));
    return *this;
  }
  /// Fills with seeded random numbers other than 0: half uniform in [-5, 5], half normal; small ones for integers.
  OpTensor& fill_random(unsigned seed) {
    std::mt19937 random(seed);
    return fill([&, type = type_](std::int64_t i) { return random_number(random, type, i); });
  }

  void upload() const { upload_to(memory_); }
  void upload_to(void* memory) const {
    EXPECT_EQ(aclrtMemcpy(memory, initial_.size(), initial_.data(), initial_.size(), ACL_MEMCPY_HOST_TO_DEVICE), 0);
  }
  std::vector<std::byte> download() const { return download_from(memory_); }
  std::vector<std::byte> download_from(const void* memory) const {
    std::vector<std::byte> bytes(initial_.size());
    EXPECT_EQ(aclrtMemcpy(bytes.data(), bytes.size(), memory, bytes.size(), ACL_MEMCPY_DEVICE_TO_HOST), 0);
    return bytes;
  }

  /// Return an element before the operator ran, and an element of a downloaded storage.
  Number before(std::int64_t element) const { return read_element(initial_.data() + at(element), type_); }
  Number in(const std::vector<std::byte>& bytes, std::int64_t element) const {
    return read_element(bytes.data() + at(element), type_);
  }
  /// Returns whether only elements of the view have changed.
  bool only_elements_changed(const std::vector<std::byte>& bytes) const {
    std::vector<std::byte> copy = bytes;
    for (std::int64_t i = 0; i < count(); ++i) std::copy_n(initial_.data() + at(i), width(), copy.data() + at(i));
    return copy == initial_;
  }

  static Shape row_major(const Shape& shape) {
    Shape strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<std::int64_t>(shape[i], 1);
    return strides;
  }

 private:
  std::size_t width() const { return aclDataTypeSize(type_); }

  std::size_t at(std::int64_t element) const {
    std::int64_t place = view_.offset;
    for (std::size_t i = shape_.size(); i-- > 0;) {
      place += element % shape_[i] * view_.strides[i];
      element /= shape_[i];
    }
    return static_cast<std::size_t>(place) * width();
  }

  static Real random_real(std::mt19937& random, std::int64_t i) {
    std::uniform_real_distribution<double> uniform(-5, 5);
    std::normal_distribution<double> normal(1, 1.5);
    const double value = i % 2 ? uniform(random) : normal(random);
    return std::abs(value) < 0.01 ? 0.5 : value;
  }

  static Number random_number(std::mt19937& random, aclDataType type, std::int64_t i) {
    if (type == ACL_BOOL) return Real(random() % 2);
    if (is_complex(type)) return {random_real(random, i), random_real(random, i + 1)};
    if (!is_integer(type)) return random_real(random, i);
    const auto value = static_cast<std::int64_t>(random() % 100) + 1;
    return Real(facts_of(type).is_signed && random() % 2 ? -value : value);
  }

  aclDataType type_;
  Shape shape_;
  View view_;
  std::int64_t storage_ = 0;
  std::vector<std::byte> initial_;
  void* memory_ = nullptr;
  mutable void* other_memory_ = nullptr;
  aclTensor* handle_ = nullptr;
  mutable int format_ = ACL_FORMAT_ND;
  mutable std::vector<aclTensor*> handles_;
};

/// An aclScalar for the length of a scope.
class OpScalar {
 public:
  OpScalar(aclDataType type, Number value) : type_(type) {
    write_element(bytes_, type, value);
    handle_ = aclCreateScalar(bytes_, type);
    value_ = read_element(bytes_, type);
  }
  ~OpScalar() { aclDestroyScalar(handle_); }
  OpScalar(const OpScalar&) = delete;
  OpScalar& operator=(const OpScalar&) = delete;

  aclScalar* get() const { return handle_; }
  Number value() const { return value_; }
  aclDataType type() const { return type_; }

 private:
  aclDataType type_;
  std::byte bytes_[16]{};
  Number value_;
  aclScalar* handle_ = nullptr;
};

using Plan = std::function<aclnnStatus(uint64_t*, aclOpExecutor**)>;
using Launch = aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream);

/// A device and a stream for a suite. Runs an operator directly, by capture and replay, and planned before its tensors
/// have addresses; and plans it once with each tensor in an unknown format.
class OpTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ASSERT_EQ(aclInit(nullptr), 0);
    ASSERT_EQ(aclrtSetDevice(0), 0);
    ASSERT_EQ(aclrtCreateStream(&stream()), 0);
  }
  static void TearDownTestSuite() {
    aclrtDestroyStream(stream());
    aclrtResetDeviceForce(0);
    aclFinalize();
  }
  static aclrtStream& stream() {
    static aclrtStream stream = nullptr;
    return stream;
  }

  static void enqueue(const Plan& plan, Launch launch) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(plan(&size, &executor), 0) << aclGetRecentErrMsg();
    void* workspace = nullptr;
    if (size > 0) {
      ASSERT_EQ(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    }
    if (workspace) workspaces().push_back(workspace);
    const aclnnStatus launched = launch(workspace, size, executor, stream());
    skip_if_lacking(launched);
    ASSERT_EQ(launched, 0) << aclGetRecentErrMsg();
  }

  /// Runs the operator in all of these ways, whose results have to be equal; returns the storage of `out`.
  static std::vector<std::byte> run(const Plan& plan, Launch launch, const std::vector<const OpTensor*>& tensors,
                                    const OpTensor& out) {
    const auto upload = [&] {
      for (const OpTensor* tensor : tensors) tensor->upload();
      out.upload();
    };
    upload();
    enqueue(plan, launch);
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0) << aclGetRecentErrMsg();
    const auto direct = out.download();
    upload();
    replay(plan, launch);
    EXPECT_TRUE(direct == out.download()) << "capture and replay gave another result";
    EXPECT_TRUE(out.only_elements_changed(direct)) << "bytes outside of the output were written";
    expect_addresses_may_come_later(plan, launch, tensors, out, direct);
    expect_blocks_are_refused(plan, launch, tensors, out);
    for (void* workspace : workspaces()) aclrtFree(workspace);
    workspaces().clear();
    return direct;
  }

  /// Larger operands are not planned without addresses: that takes long and shows nothing more.
  static constexpr std::size_t kMostBytesPlacedLater = std::size_t{1} << 20;
  static std::size_t bytes_of(const std::vector<const OpTensor*>& tensors) {
    std::size_t bytes = 0;
    for (const OpTensor* tensor : tensors) bytes += tensor->bytes();
    return bytes;
  }

 private:
  static std::vector<void*>& workspaces() {
    static std::vector<void*> workspaces;
    return workspaces;
  }

  static void replay(const Plan& plan, Launch launch) {
    replay([&] { enqueue(plan, launch); });
  }

  static void replay(const std::function<void()>& capture) {
    aclmdlRI model = nullptr;
    ASSERT_EQ(aclmdlRICaptureBegin(stream(), ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0) << aclGetRecentErrMsg();
    capture();
    ASSERT_EQ(aclmdlRICaptureEnd(stream(), &model), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(aclmdlRIExecuteAsync(model, stream()), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
  }

  /// Plans without addresses, then launches the plan with the tensors' memory and, captured, with their other memory.
  /// The results have to be equal.
  static void expect_addresses_may_come_later(const Plan& plan, Launch launch, std::vector<const OpTensor*> tensors,
                                              const OpTensor& out, const std::vector<std::byte>& expected) {
    if (HasFatalFailure()) return;
    tensors.push_back(&out);
    if (bytes_of(tensors) > kMostBytesPlacedLater) return;
    for (const OpTensor* tensor : tensors) tensor->place(nullptr);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(plan(&size, &executor), 0) << "planned without memory: " << aclGetRecentErrMsg();
    if (executor) launch_later(executor, size, launch, tensors, out, expected);
    for (const OpTensor* tensor : tensors) tensor->place(tensor->memory());
  }

  static void launch_later(aclOpExecutor* executor, uint64_t size, Launch launch,
                           const std::vector<const OpTensor*>& tensors, const OpTensor& out,
                           const std::vector<std::byte>& expected) {
    EXPECT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
    void* workspace = nullptr;
    if (size > 0) {
      ASSERT_EQ(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    }
    const auto launch_at = [&](void* (OpTensor::*where)() const) {
      for (const OpTensor* tensor : tensors) tensor->place((tensor->*where)());
      EXPECT_EQ(launch(workspace, size, executor, stream()), 0) << aclGetRecentErrMsg();
    };
    for (const OpTensor* tensor : tensors) tensor->upload();
    launch_at(&OpTensor::memory);
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0) << aclGetRecentErrMsg();
    EXPECT_TRUE(out.download() == expected) << "addresses that come after the plan gave another result";
    for (const OpTensor* tensor : tensors) tensor->upload_to(tensor->other_memory());
    replay([&] { launch_at(&OpTensor::other_memory); });
    EXPECT_TRUE(out.download_from(out.other_memory()) == expected) << "other addresses gave another result";
    EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
    aclrtFree(workspace);
  }

  /// Expects that no operator takes a tensor in an unknown blocked format.
  static void expect_blocks_are_refused(const Plan& plan, Launch launch, std::vector<const OpTensor*> tensors,
                                        const OpTensor& out) {
    if (HasFatalFailure()) return;
    tensors.push_back(&out);
    const bool only_out = bytes_of(tensors) > kMostBytesPlacedLater;
    for (const OpTensor* tensor : tensors) {
      if (tensor->has_other_handles() || (only_out && tensor != &out)) continue;
      if (blocks_are_refused(plan, *tensor)) continue;
      EXPECT_FALSE(takes_part(plan, launch, tensors, *tensor))
          << "a tensor of shape " << testing::PrintToString(tensor->shape()) << " and dtype " << tensor->type()
          << " may have an unknown format";
    }
  }

  /// Returns whether the operator reads or writes the tensor: a launch without its address fails then.
  static bool takes_part(const Plan& plan, Launch launch, const std::vector<const OpTensor*>& tensors,
                         const OpTensor& tensor) {
    if (tensor.count() == 0) return false;  // needs no address
    for (const OpTensor* each : tensors) each->upload();
    tensor.place(nullptr);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(plan(&size, &executor), 0) << aclGetRecentErrMsg();
    void* workspace = nullptr;
    EXPECT_EQ(aclrtMalloc(&workspace, size + 1, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    const aclnnStatus launched = launch(workspace, size, executor, stream());
    tensor.place(tensor.memory());
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
    aclrtFree(workspace);
    return launched != 0;
  }

 protected:
  static bool blocks_are_refused(const Plan& plan, const OpTensor& tensor) {
    constexpr int kUnknown = 77;
    constexpr aclnnStatus kInvalid = 161002;
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const int format = tensor.format();
    tensor.describe(kUnknown);
    const aclnnStatus planned = plan(&size, &executor);
    if (planned == 0) aclDestroyAclOpExecutor(executor);
    aclGetRecentErrMsg();  // clears the sentence
    tensor.describe(format);
    return planned == kInvalid;
  }
};

/// |a - g| <= atol + rtol * |g|. Integers and bool are bit equal.
inline bool is_close(Number got, Number expected, aclDataType type) {
  const auto close = [&](Real a, Real g) {
    if (std::isnan(g)) return std::isnan(a);
    if (std::isinf(g) || is_integer(type)) return a == g;
    Real relative = 0x1p-10L;
    Real absolute = 0x1p-16L;
    if (type == ACL_FLOAT16 || type == ACL_COMPLEX32) relative = absolute = 0x1p-9L;
    if (type == ACL_BF16) relative = absolute = 0x1p-6L;
    return std::fabs(a - g) <= absolute + relative * std::fabs(g);
  };
  return close(got.real(), expected.real()) && close(got.imag(), expected.imag());
}

inline bool is_equal(Number got, Number expected) {
  const auto equal = [](Real a, Real g) { return std::isnan(g) ? std::isnan(a) : a == g; };
  return equal(got.real(), expected.real()) && equal(got.imag(), expected.imag());
}

inline std::string text_of(Number value) {
  return std::to_string(value.real()) + (value.imag() != 0 ? " + " + std::to_string(value.imag()) + "i" : "");
}

/// Compares all elements; stops at the first that differs. `exact`: to the last bit.
inline void expect_elements(const OpTensor& out, const std::vector<std::byte>& bytes,
                            const std::function<Number(std::int64_t)>& expected, bool exact) {
  for (std::int64_t i = 0; i < out.count(); ++i) {
    const Number want = expected(i);
    const Number got = out.in(bytes, i);
    ASSERT_TRUE(exact ? is_equal(got, want) : is_close(got, want, out.type()))
        << "element " << i << " is " << text_of(got) << "; expected " << text_of(want) << " (dtype " << out.type()
        << ")";
  }
}

/// Returns the index of the element of `shape` that is broadcast to an element of the result.
inline std::int64_t source_of(std::int64_t element, const Shape& result, const Shape& shape) {
  std::int64_t source = 0;
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t dim = result.size() - 1 - i;
    const std::int64_t size = shape[shape.size() - 1 - i];
    const std::int64_t index = element % result[dim];
    element /= result[dim];
    if (size > 1) source += index * stride;
    stride *= size;
  }
  return source;
}

}  // namespace aclvk::test
