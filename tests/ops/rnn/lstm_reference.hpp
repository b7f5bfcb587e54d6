#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "support/op_arguments.hpp"

namespace aclvk::test {

// torch.nn.LSTM as loops over elements.

struct LstmCase {
  aclDataType type = ACL_FLOAT;
  std::int64_t steps = 5;
  std::int64_t batch = 3;
  std::int64_t features = 7;
  std::int64_t size = 5;
  std::int64_t layers = 1;
  std::int64_t directions = 1;
  bool has_bias = true;
  bool batch_first = false;
  bool train = true;
  std::vector<std::int64_t> batch_sizes{};  ///< of packed sequences
  View input{};
  View weight{};  ///< of the recurrent weights
  View state{};

  bool is_packed() const { return !batch_sizes.empty(); }
  std::int64_t lanes() const { return layers * directions; }
  std::int64_t width_of(std::int64_t lane) const { return lane < directions ? features : directions * size; }
  bool goes_on(std::int64_t t, std::int64_t b) const {
    return t >= 0 && t < steps && (!is_packed() || b < batch_sizes[static_cast<std::size_t>(t)]);
  }
  Shape shape(std::int64_t columns) const {
    if (is_packed()) return {std::accumulate(batch_sizes.begin(), batch_sizes.end(), std::int64_t{0}), columns};
    return batch_first ? Shape{batch, steps, columns} : Shape{steps, batch, columns};
  }
  /// The row of a step of a sequence in the input and the result.
  std::int64_t row(std::int64_t t, std::int64_t b) const {
    if (is_packed()) return std::accumulate(batch_sizes.begin(), batch_sizes.begin() + t, std::int64_t{0}) + b;
    return batch_first ? b * steps + t : t * batch + b;
  }
};

/// Small numbers that look random; tensors of different seeds differ.
inline Real small_number(std::int64_t i, unsigned seed) {
  const auto mixed = static_cast<std::uint32_t>(i * 2654435761U + seed * 40503U + 12345U);
  return (Real((mixed >> 7) % 2001U) - 1000) / 1600;
}

using OpTensors = std::vector<std::unique_ptr<OpTensor>>;
inline std::vector<const OpTensor*> pointers(const OpTensors& tensors) {
  std::vector<const OpTensor*> all;
  for (const auto& tensor : tensors) all.push_back(tensor.get());
  return all;
}
inline void add_small(OpTensors& to, aclDataType type, const Shape& shape, unsigned seed, const View& view = {}) {
  to.push_back(std::make_unique<OpTensor>(type, shape, view));
  to.back()->fill([=](std::int64_t i) { return small_number(i, seed); });
}

/// What both directions of the operator are given.
struct LstmInputs {
  LstmCase of;
  OpTensor input;
  OpTensor sizes;
  OpTensors params;
  OpTensors hx;

  explicit LstmInputs(const LstmCase& lstm)
      : of(lstm), input(of.type, of.shape(of.features), of.input), sizes(ACL_INT64, {of.is_packed() ? of.steps : 1}) {
    input.fill([](std::int64_t i) { return small_number(i, 1); });
    sizes.fill([&](std::int64_t i) { return of.is_packed() ? Real(of.batch_sizes[static_cast<std::size_t>(i)]) : 0; });
    unsigned seed = 2;
    for (std::int64_t lane = 0; lane < of.lanes(); ++lane) {
      add_small(params, of.type, {4 * of.size, of.width_of(lane)}, seed++);
      add_small(params, of.type, {4 * of.size, of.size}, seed++, of.weight);
      for (int i = 0; i < 2 && of.has_bias; ++i) add_small(params, of.type, {4 * of.size}, seed++);
    }
    for (int i = 0; i < 2; ++i) add_small(hx, of.type, {of.lanes(), of.batch, of.size}, seed++, of.state);
  }

  aclTensor* batch_sizes() const { return of.is_packed() ? sizes.get() : nullptr; }
  std::size_t weight_number(std::int64_t lane, int part) const {
    return static_cast<std::size_t>(lane * (of.has_bias ? 4 : 2) + part);
  }
  Real weight(std::int64_t lane, int part, std::int64_t at) const {
    return params[weight_number(lane, part)]->before(at).real();
  }
  Real state(int which, std::int64_t lane, std::int64_t b, std::int64_t j) const {
    return hx[static_cast<std::size_t>(which)]->before((lane * of.batch + b) * of.size + j).real();
  }
};

/// Numbers of (steps, batch, columns).
struct Sequences {
  std::int64_t batch = 0;
  std::int64_t columns = 0;
  std::vector<Real> values{};

  Sequences(const LstmCase& of, std::int64_t width)
      : batch(of.batch), columns(width), values(static_cast<std::size_t>(of.steps * of.batch * width)) {}
  Real& at(std::int64_t t, std::int64_t b, std::int64_t j) {
    return values[static_cast<std::size_t>((t * batch + b) * columns + j)];
  }
};

/// The rows of a tensor of the program as sequences.
inline Sequences sequences_of(const LstmCase& of, const OpTensor& tensor, std::int64_t columns) {
  Sequences all(of, columns);
  for (std::int64_t t = 0; t < of.steps; ++t) {
    for (std::int64_t b = 0; b < of.batch; ++b) {
      for (std::int64_t j = 0; j < columns && of.goes_on(t, b); ++j) {
        all.at(t, b, j) = tensor.before(of.row(t, b) * columns + j).real();
      }
    }
  }
  return all;
}

inline std::vector<const OpTensor*> with(std::vector<const OpTensor*> all, const std::vector<const OpTensor*>& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

class LstmTest : public OpTest {
 protected:
  static Real sigmoid(Real x) { return 1 / (1 + std::exp(-x)); }

  static void expect_values(const OpTensor& out, const std::vector<Real>& values, const char* name) {
    SCOPED_TRACE(name);
    const auto bytes = out.download();
    EXPECT_TRUE(out.only_elements_changed(bytes));
    ASSERT_EQ(static_cast<std::size_t>(out.count()), values.size());
    expect_elements(
        out, bytes, [&](std::int64_t i) -> Number { return values[static_cast<std::size_t>(i)]; }, false);
  }

  static void expect_sequences(const LstmCase& of, const OpTensor& out, Sequences& all, const char* name) {
    std::vector<Real> values(static_cast<std::size_t>(out.count()));
    for (std::int64_t t = 0; t < of.steps; ++t) {
      for (std::int64_t b = 0; b < of.batch; ++b) {
        for (std::int64_t j = 0; j < all.columns && of.goes_on(t, b); ++j) {
          values[static_cast<std::size_t>(of.row(t, b) * all.columns + j)] = all.at(t, b, j);
        }
      }
    }
    expect_values(out, values, name);
  }
};

}  // namespace aclvk::test
