#include <memory>

#include "aclnnop/acl_stft.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

struct Call {
  std::int64_t size;
  std::int64_t hop;
  std::int64_t window;
  bool normalized = false;
  bool onesided = true;
  bool complex = true;

  std::int64_t frequencies() const { return onesided ? size / 2 + 1 : size; }
  std::int64_t frames(std::int64_t length) const { return 1 + (length - size) / hop; }
};

class Stft : public OpTest {
 protected:
  static bool is_double(aclDataType type) { return type == ACL_DOUBLE || type == ACL_COMPLEX128; }
  static aclDataType result_type(aclDataType type, bool complex) {
    if (complex) return is_double(type) ? ACL_COMPLEX128 : ACL_COMPLEX64;
    return is_double(type) ? ACL_DOUBLE : ACL_FLOAT;
  }

  /// The definition, term by term.
  static Number exact(const OpTensor& self, const OpTensor* window, const Call& call, std::int64_t signal,
                      std::int64_t frequency, std::int64_t frame) {
    const Real step = 2 * std::acos(Real(-1)) / static_cast<Real>(call.size);
    const std::int64_t left = (call.size - call.window) / 2;
    Number sum = 0;
    for (std::int64_t n = left; n < left + call.window; ++n) {
      const Real angle = step * static_cast<Real>(n * frequency % call.size);
      const Number weight = window ? window->before(n - left) : Number(1);
      sum += self.before(signal * self.shape().back() + frame * call.hop + n) * weight *
             Number(std::cos(angle), -std::sin(angle));
    }
    return call.normalized ? sum / std::sqrt(static_cast<Real>(call.size)) : sum;
  }

  static void check_stft(const OpTensor& self, const OpTensor* window, const Call& call, const View& view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << self.type() << ", size " << call.size);
    Shape shape = self.shape();
    const std::int64_t frames = call.frames(shape.back());
    shape.back() = call.frequencies();
    shape.push_back(frames);
    if (!call.complex) shape.push_back(2);
    const OpTensor out(result_type(self.type(), call.complex), shape, view);
    std::vector<const OpTensor*> inputs = {&self};
    if (window) inputs.push_back(window);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclStftGetWorkspaceSize(self.get(), window ? window->get() : nullptr, out.get(), call.size, call.hop,
                                         call.window, call.normalized, call.onesided, call.complex, n, e);
        },
        aclStft, inputs, out);
    EXPECT_TRUE(out.only_elements_changed(bytes));
    // Errors are relative to the sum of magnitudes, not to each result.
    const Real limit = (is_double(self.type()) ? 0x1p-46L : 0x1p-18L) * static_cast<Real>(call.size);
    const std::int64_t parts = call.complex ? 1 : 2;
    for (std::int64_t i = 0; i < out.count() / parts; ++i) {
      const std::int64_t frame = i % frames;
      const std::int64_t frequency = i / frames % call.frequencies();
      const Number expected = exact(self, window, call, i / frames / call.frequencies(), frequency, frame);
      const Number got =
          call.complex ? out.in(bytes, i) : Number(out.in(bytes, 2 * i).real(), out.in(bytes, 2 * i + 1).real());
      ASSERT_LE(std::abs(got - expected), limit) << "frequency " << frequency << " of frame " << frame;
    }
  }
};

TEST_F(Stft, TransformsEachFrame) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    OpTensor self(type, {3, 67});
    self.fill_random(3);
    OpTensor window(type, {16});
    window.fill_random(4);
    check_stft(self, &window, {16, 5, 16});
    check_stft(self, nullptr, {20, 3, 9, true, false, false});
  }
}

TEST_F(Stft, TakesOneSignal) {
  OpTensor self(ACL_FLOAT, {101});
  self.fill_random(3);
  OpTensor window(ACL_FLOAT, {16});
  window.fill_random(4);
  check_stft(self, nullptr, {16, 4, 16, true});
  check_stft(self, &window, {31, 7, 16, false, false});
  check_stft(self, &window, {17, 17, 16, true, true, false});
}

TEST_F(Stft, TakesComplexSignalsAndWindows) {
  for (const aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    OpTensor self(type, {2, 53});
    self.fill_random(5);
    OpTensor window(type, {13});
    window.fill_random(6);
    OpTensor real(type == ACL_COMPLEX64 ? ACL_FLOAT : ACL_DOUBLE, {13});
    real.fill_random(7);
    OpTensor signal(real.type(), {53});
    signal.fill_random(8);
    check_stft(self, &window, {15, 4, 13, false, false});
    check_stft(self, &real, {13, 4, 13, true, false, false});
    check_stft(self, nullptr, {1, 1, 1, false, false});
    check_stft(signal, &window, {16, 4, 13, false, false});
  }
}

TEST_F(Stft, ReadsAndWritesAnyStrides) {
  OpTensor self(ACL_FLOAT, {2, 64}, {{1, 3}, 5});
  self.fill_random(9);
  OpTensor window(ACL_FLOAT, {8}, {{2}, 1});
  window.fill_random(10);
  check_stft(self, &window, {8, 4, 8}, {{1, 40, 2}, 3});
  check_stft(self, &window, {8, 4, 8, false, true, false}, {{1, 80, 4, 2}, 1});
}

TEST_F(Stft, IsAccurateForLargeSizes) {
  OpTensor self(ACL_FLOAT, {1000});
  self.fill_random(11);
  check_stft(self, nullptr, {1000, 1, 1000, true});
}

TEST_F(Stft, RefusesOthers) {
  const OpTensor self(ACL_FLOAT, {20});
  const OpTensor window(ACL_FLOAT, {8});
  const OpTensor wide(ACL_DOUBLE, {8});
  const OpTensor half(ACL_FLOAT16, {20});
  const OpTensor complex(ACL_COMPLEX64, {20});
  const OpTensor cube(ACL_FLOAT, {2, 2, 20});
  const OpTensor out(ACL_COMPLEX64, {5, 4});
  const OpTensor real(ACL_FLOAT, {5, 4, 2});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* from, const aclTensor* with, aclTensor* to, const Call& call) {
    return aclStftGetWorkspaceSize(from, with, to, call.size, call.hop, call.window, call.normalized, call.onesided,
                                   call.complex, &size, &executor);
  };
  const Call good{8, 4, 8};
  EXPECT_EQ(plan(nullptr, nullptr, out.get(), good), 161001);
  EXPECT_EQ(plan(self.get(), nullptr, nullptr, good), 161001);
  EXPECT_EQ(plan(half.get(), nullptr, out.get(), good), 161002);
  EXPECT_EQ(plan(self.get(), wide.get(), out.get(), good), 161002);
  EXPECT_EQ(plan(self.get(), window.get(), real.get(), good), 161002);
  EXPECT_EQ(plan(cube.get(), window.get(), out.get(), good), 161002);
  EXPECT_EQ(plan(complex.get(), window.get(), out.get(), good), 161002);
  EXPECT_EQ(plan(self.get(), window.get(), out.get(), {0, 4, 8}), 161002);
  EXPECT_EQ(plan(self.get(), window.get(), out.get(), {21, 4, 8}), 161002);
  EXPECT_EQ(plan(self.get(), window.get(), out.get(), {8, 0, 8}), 161002);
  EXPECT_EQ(plan(self.get(), window.get(), out.get(), {8, 4, 9}), 161002);
  EXPECT_EQ(plan(self.get(), window.get(), out.get(), {8, 4, 7}), 161002);
  EXPECT_EQ(plan(self.get(), window.get(), out.get(), {8, 3, 8}), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
