#include <array>
#include <random>
#include <thread>
#include <vector>

#include "aclnnop/aclnn_add.h"
#include "support/op_fixture.hpp"

// Calls of one operator that differ in little: what was worked out for an earlier one serves the next only where the
// kernels are the same. All tensors are views of one piece of memory, and a model on the host has the same memory.

namespace aclvk::test {
namespace {

constexpr std::int64_t kElements = 4096;
constexpr int kInvalid = 161002;

/// A matrix in the memory.
struct View {
  std::int64_t start;
  std::array<std::int64_t, 2> sizes;
  std::array<std::int64_t, 2> strides;

  std::int64_t at(std::int64_t row, std::int64_t column) const {
    return start + (sizes[0] == 1 ? 0 : row * strides[0]) + (sizes[1] == 1 ? 0 : column * strides[1]);
  }
};

/// Memory of the device, what the calling thread adds in it on a stream of its own, and the model.
class Memory {
 public:
  Memory() {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    EXPECT_EQ(aclrtCreateStream(&stream_), 0);
    EXPECT_EQ(aclrtMalloc(&memory_, kElements * sizeof(float), ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    start_over();
  }
  ~Memory() {
    aclrtDestroyStream(stream_);
    aclrtFree(memory_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void start_over() {
    for (std::int64_t i = 0; i < kElements; ++i) model_[static_cast<std::size_t>(i)] = static_cast<float>(i % 97 - 48);
    EXPECT_EQ(aclrtMemcpy(memory_, sizeof(model_), model_.data(), sizeof(model_), ACL_MEMCPY_HOST_TO_DEVICE), 0);
  }

  /// The code of aclnnAdd, which has run and has been followed by the model if that is 0.
  int add(const View& self, const View& other, float alpha, const View& out) {
    const OpScalar by(ACL_FLOAT, alpha);
    aclTensor* const tensors[] = {tensor(self), tensor(other), tensor(out)};
    uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    const int code = aclnnAddGetWorkspaceSize(tensors[0], tensors[1], by.get(), tensors[2], &bytes, &executor);
    for (aclTensor* tensor : tensors) aclDestroyTensor(tensor);
    if (code != 0) return code;
    follow(self, other, alpha, out);
    return aclnnAdd(nullptr, 0, executor, stream_);
  }

  void expect_what_the_model_has() {
    std::array<float, kElements> now{};
    ASSERT_EQ(aclrtSynchronizeStream(stream_), 0);
    ASSERT_EQ(aclrtMemcpy(now.data(), sizeof(now), memory_, sizeof(now), ACL_MEMCPY_DEVICE_TO_HOST), 0);
    EXPECT_TRUE(now == model_);
  }

 private:
  aclTensor* tensor(const View& view) const {
    const std::int64_t storage = kElements - view.start;
    return aclCreateTensor(view.sizes.data(), 2, ACL_FLOAT, view.strides.data(), 0, ACL_FORMAT_ND, &storage, 1,
                           static_cast<float*>(memory_) + view.start);
  }

  float& element(std::int64_t index) { return model_[static_cast<std::size_t>(index)]; }

  void follow(const View& self, const View& other, float alpha, const View& out) {
    std::vector<float> results;
    for (std::int64_t row = 0; row < out.sizes[0]; ++row) {
      for (std::int64_t column = 0; column < out.sizes[1]; ++column) {
        results.push_back(element(self.at(row, column)) + alpha * element(other.at(row, column)));
      }
    }
    auto next = results.begin();
    for (std::int64_t row = 0; row < out.sizes[0]; ++row) {
      for (std::int64_t column = 0; column < out.sizes[1]; ++column) element(out.at(row, column)) = *next++;
    }
  }

  aclrtStream stream_ = nullptr;
  void* memory_ = nullptr;
  std::array<float, kElements> model_{};
};

class PointwisePlans : public OpTest {};

constexpr std::array<std::int64_t, 2> kSizes{3, 24};
constexpr std::array<std::int64_t, 2> kRows{24, 1};

TEST_F(PointwisePlans, OtherPlacesInALineAreOtherPlans) {
  Memory memory;
  for (const std::int64_t shift : {0, 8, 1, 4, 2, 3, 0}) {
    SCOPED_TRACE(shift);
    EXPECT_EQ(memory.add({0, kSizes, kRows}, {256 + shift, kSizes, kRows}, 1, {512, kSizes, kRows}), 0);
    EXPECT_EQ(memory.add({0, kSizes, kRows}, {256, kSizes, kRows}, 1, {512 + shift, kSizes, kRows}), 0);
    memory.expect_what_the_model_has();
  }
}

TEST_F(PointwisePlans, OtherScalarsAreOtherPlans) {
  Memory memory;
  for (const float alpha : {1.0F, 2.0F, -0.5F, 1.0F}) {
    EXPECT_EQ(memory.add({0, kSizes, kRows}, {256, kSizes, kRows}, alpha, {512, kSizes, kRows}), 0);
    memory.expect_what_the_model_has();
  }
}

TEST_F(PointwisePlans, APlanForDisjointTensorsIsNoneForThoseThatOverlap) {
  Memory memory;
  EXPECT_EQ(memory.add({0, kSizes, kRows}, {256, kSizes, kRows}, 1, {512, kSizes, kRows}), 0);
  EXPECT_EQ(memory.add({512 - 8, kSizes, kRows}, {256, kSizes, kRows}, 1, {512, kSizes, kRows}), kInvalid);
  EXPECT_EQ(memory.add({0, kSizes, kRows}, {512 + 8, kSizes, kRows}, 1, {512, kSizes, kRows}), kInvalid);
  EXPECT_EQ(memory.add({512, kSizes, kRows}, {256, kSizes, kRows}, 1, {512, kSizes, kRows}), 0);
  memory.expect_what_the_model_has();
}

// Few values of each property, so that most calls have been seen before and their neighbours, too.
void add_at_random(Memory& memory, std::uint32_t seed, int calls) {
  std::mt19937 random(seed);
  const auto pick = [&](std::initializer_list<std::int64_t> values) {
    return values.begin()[random() % values.size()];
  };
  const auto view = [&](std::int64_t rows, std::int64_t columns, std::int64_t area) {
    const bool by_columns = random() % 4 == 0;
    const std::int64_t pitch = by_columns ? rows : columns + pick({0, 0, 8, 5});
    return View{area + pick({0, 0, 0, 8, 1, 4}),
                {rows, columns},
                {by_columns ? std::int64_t{1} : pitch, by_columns ? pitch : std::int64_t{1}}};
  };
  for (int call = 0; call < calls; ++call) {
    const std::int64_t rows = pick({1, 3, 5}), columns = pick({1, 8, 24, 31});
    const std::int64_t area = 1024 * pick({0, 1, 2});
    const View out = view(rows, columns, area);
    const View self = random() % 4 == 0 ? out : view(rows, columns, (area + 1024) % 3072);
    const View other = view(random() % 4 == 0 ? 1 : rows, random() % 4 == 0 ? 1 : columns, 3072);
    ASSERT_EQ(memory.add(self, other, static_cast<float>(pick({1, 1, 2, 0})), out), 0) << aclGetRecentErrMsg();
    if (call % 8 == 7) {  // before numbers get too large to be exact
      memory.expect_what_the_model_has();
      memory.start_over();
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST_F(PointwisePlans, RandomCallsGiveWhatTheModelGives) {
  Memory memory;
  add_at_random(memory, 20261127, 3000);
}

TEST_F(PointwisePlans, ThreadsShareThem) {
  std::vector<std::thread> threads;
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    threads.emplace_back([seed] {
      Memory memory;
      add_at_random(memory, seed, 400);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace aclvk::test
