#pragma once

#include "support/op_arguments.hpp"

namespace aclvk::test {

enum class Change { kReplace, kAdd, kMultiply, kDivide, kMaximum, kMinimum };

/// One change, rounded as an element of the type holds it.
inline Number changed(Change change, Number old, Number x, aclDataType type) {
  const bool whole = is_integer(type);
  switch (change) {
    case Change::kReplace: return x;
    case Change::kAdd: return rounded(old + x, type);
    case Change::kMultiply: return rounded(old * x, type);
    case Change::kDivide:
      return whole ? Number(wrap(static_cast<Wide>(old.real() / x.real()), type)) : rounded(old / x, type);
    case Change::kMaximum: return std::max(old.real(), x.real());
    default: return std::min(old.real(), x.real());
  }
}

/// The elements of a tensor on the host, changed one after the other.
class Expected {
 public:
  explicit Expected(const OpTensor& tensor) : type_(tensor.type()), shape_(tensor.shape()) {
    for (std::int64_t i = 0; i < tensor.count(); ++i) values_.push_back(tensor.before(i));
  }
  void change(Change how, const Shape& at, Number x) {
    Number& value = (*this)[at];
    value = changed(how, value, x, type_);
  }
  Number& operator[](const Shape& at) { return values_[static_cast<std::size_t>(element_at(at, shape_))]; }
  Number operator()(std::int64_t i) const { return values_[static_cast<std::size_t>(i)]; }

 private:
  aclDataType type_;
  Shape shape_;
  std::vector<Number> values_;
};

class Scatters : public OpTest {
 protected:
  /// Some indices twice, some from the end.
  static void fill_indices(OpTensor& index, std::int64_t size) {
    index.fill([&](std::int64_t i) { return Real((i * 5 + 2) % (2 * size) - size); });
  }
  static std::int64_t place(const OpTensor& index, std::int64_t i, std::int64_t size) {
    const auto value = static_cast<std::int64_t>(index.before(i).real());
    return value < 0 ? value + size : value;
  }
  /// Powers of two and small numbers: the order of changes shows, but no sum is rounded beyond what elements hold.
  static void fill_small(OpTensor& tensor, unsigned seed) {
    tensor.fill([&, type = tensor.type()](std::int64_t i) {
      if (type == ACL_BOOL) return Real((i + seed) % 3 == 0);
      return Real((i * 3 + seed) % 4 + 1);
    });
  }
  static void check(const Plan& plan, Launch launch, const std::vector<const OpTensor*>& inputs, const OpTensor& out,
                    const Expected& expected, bool exact = true) {
    SCOPED_TRACE("dtype " + std::to_string(out.type()));
    const auto bytes = run(plan, launch, inputs, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return expected(i); }, exact);
    EXPECT_TRUE(bytes == run(plan, launch, inputs, out)) << "a second run gave another result";
  }
};

}  // namespace aclvk::test
