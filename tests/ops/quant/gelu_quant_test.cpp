#include "aclnnop/aclnn_gelu_quant.h"
#include "ops/glu/glu_reference.hpp"

namespace aclvk::test {
namespace {

class GeluQuant : public OpTest {
 protected:
  static Real activation(bool tanh, Real x) { return tanh ? gelu_tanh(x) : gelu(x); }
  /// One step beside is right, too: the float before rounding may lie on the other side of a half.
  static void expect_steps(const OpTensor& out, const std::vector<std::byte>& bytes,
                           const std::function<Real(std::int64_t)>& exact) {
    for (std::int64_t i = 0; i < out.count(); ++i) {
      const Real value = std::clamp(exact(i), Real{-128}, Real{127});
      ASSERT_LE(std::abs(out.in(bytes, i).real() - value), 0.501L) << "element " << i;
    }
  }
};

TEST_F(GeluQuant, StaticScales) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const bool tanh : {false, true}) {
      for (const bool single : {false, true}) {
        OpTensor self(type, {5, 13});
        self.fill_random(3);
        OpTensor scale(ACL_FLOAT, {single ? 1 : 13});
        scale.fill([](std::int64_t i) -> Number { return Real(7 + i); });
        OpTensor offset(ACL_FLOAT, {13});
        offset.fill([](std::int64_t i) -> Number { return Real(i) / 4 - 1; });
        const OpTensor y(ACL_INT8, {5, 13});
        const auto bytes = run(
            [&](auto* n, auto** e) {
              return aclnnGeluQuantGetWorkspaceSize(self.get(), scale.get(), single ? nullptr : offset.get(),
                                                    tanh ? "tanh" : "none", "static", "rint", ACL_INT8, y.get(),
                                                    nullptr, n, e);
            },
            aclnnGeluQuant, {&self, &scale, &offset}, y);
        expect_steps(y, bytes, [&](std::int64_t i) {
          const Real value = activation(tanh, self.before(i).real()) * scale.before(single ? 0 : i % 13).real();
          return value + (single ? 0 : offset.before(i % 13).real());
        });
      }
    }
  }
}

TEST_F(GeluQuant, DynamicScalesAreThoseOfRows) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const Shape& rows : {Shape{5}, Shape{2, 3}, Shape{}}) {
      Shape shape = rows;
      shape.push_back(13);
      OpTensor self(type, shape);
      self.fill_random(3);
      OpTensor scale(type, {13});
      scale.fill([](std::int64_t i) -> Number { return Real(1 + i % 3); });
      const OpTensor y(ACL_INT8, shape);
      const OpTensor out_scale(ACL_FLOAT, rows);
      const auto plan = [&](auto* n, auto** e) {
        return aclnnGeluQuantGetWorkspaceSize(self.get(), scale.get(), nullptr, "none", "dynamic", "rint", ACL_INT8,
                                              y.get(), out_scale.get(), n, e);
      };
      const auto value = [&](std::int64_t i) { return gelu(self.before(i).real()) * scale.before(i % 13).real(); };
      const auto row_scale = [&](std::int64_t row) -> Real {
        Real most = 0;
        for (std::int64_t i = row * 13; i < row * 13 + 13; ++i) most = std::max(most, std::abs(value(i)));
        return most / 127;
      };
      expect_elements(
          out_scale, run(plan, aclnnGeluQuant, {&self, &scale, &y}, out_scale),
          [&](std::int64_t row) -> Number { return row_scale(row); }, false);
      expect_steps(y, run(plan, aclnnGeluQuant, {&self, &scale, &out_scale}, y),
                   [&](std::int64_t i) { return value(i) / row_scale(i / 13); });
    }
  }
}

TEST_F(GeluQuant, EightBitFloatsSaturate) {
  for (const aclDataType type : {ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2}) {
    OpTensor self(ACL_FLOAT, {5, 13});
    self.fill_random(3);
    OpTensor scale(ACL_FLOAT, {1});
    const Real most = type == ACL_FLOAT8_E5M2 ? 57344 : 448;
    scale.fill([&](std::int64_t) -> Number { return most / 2; });
    const OpTensor y(type, {5, 13});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnGeluQuantGetWorkspaceSize(self.get(), scale.get(), nullptr, "none", "static", "rint", type,
                                                y.get(), nullptr, n, e);
        },
        aclnnGeluQuant, {&self, &scale}, y);
    for (std::int64_t i = 0; i < y.count(); ++i) {
      const Real exact = std::clamp(gelu(self.before(i).real()) * most / 2, -most, most);
      const Real got = y.in(bytes, i).real();
      // A step of E5M2 is a quarter of the number, of E4M3 an eighth.
      ASSERT_LE(std::abs(got - exact), std::abs(exact) * (type == ACL_FLOAT8_E5M2 ? 0.126L : 0.063L) + 0x1p-9L)
          << "element " << i;
    }
    const OpTensor out_scale(ACL_FLOAT, {5});
    const auto dynamic = run(
        [&](auto* n, auto** e) {
          return aclnnGeluQuantGetWorkspaceSize(self.get(), nullptr, nullptr, "none", "dynamic", "rint", type, y.get(),
                                                out_scale.get(), n, e);
        },
        aclnnGeluQuant, {&self, &out_scale}, y);
    for (std::int64_t row = 0; row < 5; ++row) {
      Real highest = 0;
      for (std::int64_t i = row * 13; i < row * 13 + 13; ++i) {
        highest = std::max(highest, std::abs(y.in(dynamic, i).real()));
      }
      EXPECT_EQ(highest, most) << "row " << row;
    }
  }
}

TEST_F(GeluQuant, ARowOfZerosStaysZero) {
  OpTensor self(ACL_FLOAT, {2, 8});
  self.fill([](std::int64_t i) -> Number { return Real(i < 8 ? 0 : i); });
  for (const auto& [type, highest] : {std::pair{ACL_INT8, 127}, {ACL_FLOAT8_E4M3FN, 448}, {ACL_FLOAT8_E5M2, 57344}}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type);
    const OpTensor y(type, {2, 8});
    const OpTensor out_scale(ACL_FLOAT, {2});
    const auto plan = [&, dtype = type](auto* n, auto** e) {
      return aclnnGeluQuantGetWorkspaceSize(self.get(), nullptr, nullptr, "none", "dynamic", "rint", dtype, y.get(),
                                            out_scale.get(), n, e);
    };
    const auto bytes = run(plan, aclnnGeluQuant, {&self, &out_scale}, y);
    for (std::int64_t i = 0; i < 8; ++i) EXPECT_EQ(y.in(bytes, i).real(), 0);
    EXPECT_EQ(y.in(bytes, 15).real(), highest);
    EXPECT_EQ(out_scale.in(run(plan, aclnnGeluQuant, {&self, &y}, out_scale), 0).real(), 0);
  }
}

TEST_F(GeluQuant, RefusesOtherModes) {
  const OpTensor self(ACL_FLOAT, {4, 6});
  const OpTensor scale(ACL_FLOAT, {6});
  const OpTensor rows(ACL_FLOAT, {4});
  const OpTensor y(ACL_INT8, {4, 6});
  const OpTensor bytes(ACL_UINT8, {4, 6});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* in, const aclTensor* factor, const aclTensor* offset, const char* approximate,
                        const char* mode, const char* round, std::int64_t type, const aclTensor* to,
                        const aclTensor* out_scale) {
    return aclnnGeluQuantGetWorkspaceSize(in, factor, offset, approximate, mode, round, type, to, out_scale, &size,
                                          &executor);
  };
  EXPECT_EQ(plan(nullptr, scale.get(), nullptr, "none", "static", "rint", 2, y.get(), nullptr), 161001);
  EXPECT_EQ(plan(self.get(), nullptr, nullptr, "none", "static", "rint", 2, y.get(), nullptr), 161001);
  EXPECT_EQ(plan(self.get(), scale.get(), nullptr, nullptr, "static", "rint", 2, y.get(), nullptr), 161001);
  EXPECT_EQ(plan(self.get(), scale.get(), nullptr, "none", "dynamic", "rint", 2, y.get(), nullptr), 161001);
  EXPECT_EQ(plan(self.get(), scale.get(), nullptr, "erf", "static", "rint", 2, y.get(), nullptr), 161002);
  EXPECT_EQ(plan(self.get(), scale.get(), nullptr, "none", "both", "rint", 2, y.get(), nullptr), 161002);
  EXPECT_EQ(plan(self.get(), scale.get(), nullptr, "none", "static", "up", 2, y.get(), nullptr), 161002);
  EXPECT_EQ(plan(self.get(), scale.get(), nullptr, "none", "static", "rint", 3, y.get(), nullptr), 161002);
  EXPECT_EQ(plan(self.get(), scale.get(), nullptr, "none", "static", "rint", 4, bytes.get(), nullptr), 161002);
  EXPECT_EQ(plan(self.get(), rows.get(), nullptr, "none", "static", "rint", 2, y.get(), nullptr), 161002);
  EXPECT_EQ(plan(self.get(), scale.get(), scale.get(), "none", "dynamic", "rint", 2, y.get(), rows.get()), 161002);
  EXPECT_EQ(plan(self.get(), scale.get(), nullptr, "none", "dynamic", "rint", 2, y.get(), scale.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
