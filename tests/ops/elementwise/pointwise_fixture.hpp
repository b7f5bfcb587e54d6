#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "support/op_fixture.hpp"

namespace aclvk::test {

/// The elements that one element of a result is made of, one of each input.
using Elements = std::vector<Number>;
using ElementMeaning = std::function<Number(const Elements&)>;

/// Runs operators whose elements do not depend on each other, directly and replayed, against a meaning on the host.
class PointwiseTest : public OpTest {
 protected:
  /// Broadcasts `inputs` to `out`. For an operator in place the first input is `out`.
  static void expect(const std::string& what, const Plan& plan, Launch launch,
                     const std::vector<const OpTensor*>& inputs, const OpTensor& out, const ElementMeaning& meaning,
                     bool exact) {
    SCOPED_TRACE(what + ", output of dtype " + std::to_string(out.type()));
    const auto bytes = run(plan, launch, inputs, out);
    const auto expected = [&](std::int64_t i) {
      Elements elements;
      for (const OpTensor* input : inputs) elements.push_back(input->before(source_of(i, out.shape(), input->shape())));
      return rounded(meaning(elements), out.type());
    };
    expect_elements(out, bytes, expected, exact);
  }

  /// Small numbers that meet often: 0, both signs, halves where the dtype has them.
  static OpTensor& fill_meeting(OpTensor& tensor, int period) {
    return tensor.fill([&, type = tensor.type()](std::int64_t i) -> Number {
      const Real value = Real(i * 5 % period) - period / 2;
      if (type == ACL_BOOL) return Real(i * 5 % period % 2);
      if (is_complex(type)) return {value, Real(i % 2)};
      if (!is_integer(type)) return value / 2;
      return facts_of(type).is_signed ? value : value + period / 2;
    });
  }

  static OpTensor& fill_from(OpTensor& tensor, const std::vector<Real>& values) {
    return tensor.fill([&](std::int64_t i) { return values[static_cast<std::size_t>(i) % values.size()]; });
  }
};

/// An operator on two tensors as a row of a test's table.
struct TwoTensorOp {
  std::string name;
  std::function<aclnnStatus(const aclTensor*, const aclTensor*, aclTensor*, uint64_t*, aclOpExecutor**)> plan;
  Launch launch;
};
#define TWO_TENSORS(name)                                                                              \
  TwoTensorOp {                                                                                        \
#name, [](const aclTensor* x, const aclTensor* y, aclTensor* z, uint64_t* n,                       \
              aclOpExecutor** e) { return aclnn##name##GetWorkspaceSize(x, y, z, n, e); }, aclnn##name \
  }

/// The same in place.
struct InplaceOp {
  std::string name;
  std::function<aclnnStatus(aclTensor*, aclTensor*, uint64_t*, aclOpExecutor**)> plan;
  Launch launch;
};
#define INPLACE(name)                                                                                              \
  InplaceOp {                                                                                                      \
#name, [](aclTensor * x, aclTensor * y, uint64_t * n,                                                          \
              aclOpExecutor * *e) { return aclnnInplace##name##GetWorkspaceSize(x, y, n, e); }, aclnnInplace##name \
  }

/// A tensor and a scalar.
struct ScalarOp {
  std::string name;
  std::function<aclnnStatus(const aclTensor*, const aclScalar*, aclTensor*, uint64_t*, aclOpExecutor**)> plan;
  Launch launch;
};
#define TENSOR_SCALAR(name)                                                                            \
  ScalarOp {                                                                                           \
#name, [](const aclTensor* x, const aclScalar* y, aclTensor* z, uint64_t* n,                       \
              aclOpExecutor** e) { return aclnn##name##GetWorkspaceSize(x, y, z, n, e); }, aclnn##name \
  }

}  // namespace aclvk::test
