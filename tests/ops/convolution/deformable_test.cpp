#include "aclnnop/aclnn_convolution_backward.h"
#include "aclnnop/aclnn_deformable_conv2d.h"
#include "ops/matmul/products/product_reference.hpp"

namespace aclvk::test {
namespace {

const std::vector<aclDataType> kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

std::size_t place(std::int64_t element) { return static_cast<std::size_t>(element); }

/// A deformable convolution of tensors of (N, C, H, W): written apart from src/ops.
struct DeformCase {
  Shape input;
  Shape weight;
  Shape stride{1, 1};
  Shape padding{0, 0, 0, 0};  ///< top, bottom, left, right
  Shape dilation{1, 1};
  std::int64_t groups = 1;
  std::int64_t deformable_groups = 1;
  bool moves = true;  ///< false: offsets are 0 and factors 1/2

  std::int64_t taps() const { return weight[2] * weight[3]; }
  std::int64_t positions(std::size_t i) const {
    const std::int64_t room = input[2 + i] + padding[2 * i] + padding[2 * i + 1];
    return (room - dilation[i] * (weight[2 + i] - 1) - 1) / stride[i] + 1;
  }
  Shape output() const { return {input[0], weight[0], positions(0), positions(1)}; }
  Shape offset() const { return {input[0], 3 * deformable_groups * taps(), positions(0), positions(1)}; }
  Shape samples() const { return {input[0], input[1], positions(0) * weight[2], positions(1) * weight[3]}; }
  Shape of_image(const Shape& values) const { return {1, 1, values[0], values[1]}; }
};

/// The attributes of a case as arrays.
struct Attributes {
  OpInts kernel;
  OpInts stride;
  OpInts padding;
  OpInts dilation;

  explicit Attributes(const DeformCase& c)
      : kernel({c.weight[2], c.weight[3]}),
        stride(c.of_image(c.stride)),
        padding(c.padding),
        dilation(c.of_image(c.dilation)) {}
};

/// One of the samples, numbered by image, channel, row and column of the tap, and row and column of the position.
struct Sample {
  std::int64_t image, channel, tap_row, tap_column, row, column;
};

/// An element that a sample reads: its number, its weights along rows and columns, and their slopes.
struct Reading {
  std::int64_t element;
  Real row_weight, column_weight, row_slope, column_slope;
};

class Reference {
 public:
  Reference(const DeformCase& c, const OpTensor& input, const OpTensor& offset)
      : c_(c), input_(input), offset_(offset) {}

  template <typename Visit>
  void visit_samples(Visit visit) const {
    for (std::int64_t n = 0; n < c_.input[0]; ++n) {
      for (std::int64_t channel = 0; channel < c_.input[1]; ++channel) {
        for (std::int64_t tap = 0; tap < c_.taps(); ++tap) {
          for (std::int64_t at = 0; at < c_.positions(0) * c_.positions(1); ++at) {
            visit(
                Sample{n, channel, tap / c_.weight[3], tap % c_.weight[3], at / c_.positions(1), at % c_.positions(1)});
          }
        }
      }
    }
  }

  /// The element of offset with the offset along W (block 0), along H (1), or with the factor (2).
  std::int64_t offset_element(const Sample& s, std::int64_t block) const {
    const std::int64_t group = s.channel / (c_.input[1] / c_.deformable_groups);
    const std::int64_t tap = s.tap_row * c_.weight[3] + s.tap_column;
    const std::int64_t plane = (block * c_.deformable_groups + group) * c_.taps() + tap;
    return element_at({s.image, plane, s.row, s.column}, c_.offset());
  }
  Real offset_of(const Sample& s, std::int64_t block) const { return offset_.before(offset_element(s, block)).real(); }

  std::int64_t sample_element(const Sample& s) const {
    return element_at({s.image, s.channel, s.row * c_.weight[2] + s.tap_row, s.column * c_.weight[3] + s.tap_column},
                      c_.samples());
  }

  /// The elements around the place of a sample that are inside of the image.
  std::vector<Reading> readings(const Sample& s) const {
    const Real y = Real(s.row * c_.stride[0] - c_.padding[0] + s.tap_row * c_.dilation[0]) + offset_of(s, 1);
    const Real x = Real(s.column * c_.stride[1] - c_.padding[2] + s.tap_column * c_.dilation[1]) + offset_of(s, 0);
    std::vector<Reading> readings;
    for (std::int64_t row = 0; row < c_.input[2]; ++row) {
      for (std::int64_t column = 0; column < c_.input[3]; ++column) {
        const bool above = Real(row) == std::floor(y);
        const bool left = Real(column) == std::floor(x);
        if (!above && Real(row) != std::floor(y) + 1) continue;
        if (!left && Real(column) != std::floor(x) + 1) continue;
        readings.push_back({element_at({s.image, s.channel, row, column}, c_.input), 1 - std::fabs(y - Real(row)),
                            1 - std::fabs(x - Real(column)), Real(above ? -1 : 1), Real(left ? -1 : 1)});
      }
    }
    return readings;
  }

  Real value_of(const Sample& s) const {
    Real sum = 0;
    for (const Reading& r : readings(s)) sum += r.row_weight * r.column_weight * input_.before(r.element).real();
    return sum * offset_of(s, 2);
  }

  /// Calls visit(element of the weight, element of the output) for each product that has the sample as a factor.
  template <typename Visit>
  void visit_products(const Sample& s, Visit visit) const {
    const std::int64_t channels = c_.weight[1];
    const std::int64_t results = c_.weight[0] / c_.groups;
    for (std::int64_t i = 0; i < results; ++i) {
      const std::int64_t result = s.channel / channels * results + i;
      visit(element_at({result, s.channel % channels, s.tap_row, s.tap_column}, c_.weight),
            element_at({s.image, result, s.row, s.column}, c_.output()));
    }
  }

 private:
  const DeformCase& c_;
  const OpTensor& input_;
  const OpTensor& offset_;
};

struct Views {
  View input{};
  View weight{};
  View offset{};
  View output{};
  View samples{};
};

class DeformableConvolution : public OpTest {
 protected:
  /// Offsets and factors in quarters, so that all results are exact in a float. Some places are outside of the image,
  /// some on an element.
  static void fill_offsets(const DeformCase& c, OpTensor& offset) {
    std::mt19937 random(7);
    const std::int64_t plane = c.positions(0) * c.positions(1);
    offset.fill([&](std::int64_t i) {
      const std::int64_t block = i / plane % c.offset()[1] / (c.deformable_groups * c.taps());
      if (!c.moves) return block == 2 ? Real(0.5) : Real(0);
      return block == 2 ? Real(static_cast<int>(random() % 9) - 4) / 4 : Real(static_cast<int>(random() % 23) - 11) / 4;
    });
  }

  static void expect(const OpTensor& out, const std::vector<std::byte>& bytes, const std::vector<Real>& values) {
    EXPECT_TRUE(out.only_elements_changed(bytes));
    expect_elements(
        out, bytes, [&](std::int64_t i) { return held(values[place(i)], out.type()); }, true);
  }

  static void check(const DeformCase& c, aclDataType type, const Views& views = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type);
    OpTensor input(type, c.input, views.input);
    OpTensor weight(type, c.weight, views.weight);
    OpTensor offset(type, c.offset(), views.offset);
    OpTensor bias(type, {c.weight[0]});
    fill_eighths(input, 1);
    fill_eighths(weight, 2);
    fill_eighths(bias, 3);
    fill_offsets(c, offset);
    const OpTensor out(type, c.output(), views.output);
    const OpTensor samples(type, c.samples(), views.samples);
    const Attributes own(c);
    const auto plan = [&](aclTensor* added, aclTensor* kept) {
      return [&, added, kept](auto* n, auto** e) {
        return aclnnDeformableConv2dGetWorkspaceSize(input.get(), weight.get(), offset.get(), added, own.kernel.get(),
                                                     own.stride.get(), own.padding.get(), own.dilation.get(), c.groups,
                                                     c.deformable_groups, true, out.get(), kept, n, e);
      };
    };
    const Reference reference(c, input, offset);
    std::vector<Real> taken(place(samples.count()));
    std::vector<Real> sums(place(out.count()));
    reference.visit_samples([&](const Sample& s) {
      const Real value = held(reference.value_of(s), type).real();
      taken[place(reference.sample_element(s))] = value;
      reference.visit_products(
          s, [&](std::int64_t factor, std::int64_t to) { sums[place(to)] += value * weight.before(factor).real(); });
    });
    expect(out, run(plan(nullptr, nullptr), aclnnDeformableConv2d, {&input, &weight, &offset}, out), sums);
    for (std::int64_t i = 0; i < out.count(); ++i) {
      sums[place(i)] += bias.before(i / (c.positions(0) * c.positions(1)) % c.weight[0]).real();
    }
    expect(
        out,
        run(plan(bias.get(), samples.get()), aclnnDeformableConv2d, {&input, &weight, &offset, &bias, &samples}, out),
        sums);
    expect(samples, samples.download(), taken);
  }

  static void check_gradients(const DeformCase& c, aclDataType type, const Views& views = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type);
    OpTensor input(type, c.input, views.input);
    OpTensor weight(type, c.weight, views.weight);
    OpTensor offset(type, c.offset(), views.offset);
    OpTensor gradient(type, c.output(), views.output);
    OpTensor samples(type, c.samples(), views.samples);
    unsigned seed = 3;  // one each: sums of products of equal numbers would grow beyond what a float adds exactly
    for (OpTensor* tensor : {&input, &weight, &gradient, &samples}) fill_eighths(*tensor, seed++);
    fill_offsets(c, offset);
    const OpTensor dx(type, c.input, views.input);
    const OpTensor dw(type, c.weight, views.weight);
    const OpTensor doffset(type, c.offset(), views.offset);
    const OpTensor db(type, {c.weight[0]});
    const Attributes own(c);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnDeformableConv2dBackwardGetWorkspaceSize(
              input.get(), gradient.get(), samples.get(), weight.get(), offset.get(), own.kernel.get(),
              own.stride.get(), own.padding.get(), own.dilation.get(), c.groups, c.deformable_groups, true, dx.get(),
              dw.get(), doffset.get(), db.get(), n, e);
        },
        aclnnDeformableConv2dBackward, {&input, &gradient, &samples, &weight, &offset, &dw, &doffset, &db}, dx);
    std::vector<Real> of_input(place(dx.count()));
    std::vector<Real> of_weight(place(dw.count()));
    std::vector<Real> of_offset(place(doffset.count()));
    std::vector<Real> of_bias(place(db.count()));
    const Reference reference(c, input, offset);
    reference.visit_samples([&](const Sample& s) {
      Real of_sample = 0;
      reference.visit_products(s, [&](std::int64_t factor, std::int64_t from) {
        of_sample += weight.before(factor).real() * gradient.before(from).real();
        of_weight[place(factor)] += samples.before(reference.sample_element(s)).real() * gradient.before(from).real();
      });
      const Real scale = reference.offset_of(s, 2);
      for (const Reading& r : reference.readings(s)) {
        const Real x = input.before(r.element).real();
        of_input[place(r.element)] += of_sample * scale * r.row_weight * r.column_weight;
        of_offset[place(reference.offset_element(s, 0))] += of_sample * scale * r.row_weight * r.column_slope * x;
        of_offset[place(reference.offset_element(s, 1))] += of_sample * scale * r.row_slope * r.column_weight * x;
        of_offset[place(reference.offset_element(s, 2))] += of_sample * r.row_weight * r.column_weight * x;
      }
    });
    for (std::int64_t i = 0; i < gradient.count(); ++i) {
      of_bias[place(i / (c.positions(0) * c.positions(1)) % c.weight[0])] += gradient.before(i).real();
    }
    expect(dx, bytes, of_input);
    expect(dw, dw.download(), of_weight);
    expect(doffset, doffset.download(), of_offset);
    expect(db, db.download(), of_bias);
  }
};

const DeformCase kOfAllGroups{{2, 6, 7, 5}, {4, 3, 3, 2}, {2, 1}, {1, 2, 0, 1}, {1, 2}, 2, 3};

TEST_F(DeformableConvolution, MultipliesSamplesOfMovedTaps) {
  for (const aclDataType type : kFloats) check(kOfAllGroups, type);
  check({{1, 3, 5, 7}, {5, 3, 1, 1}}, ACL_FLOAT);
}

TEST_F(DeformableConvolution, GivesItsGradients) {
  for (const aclDataType type : kFloats) check_gradients(kOfAllGroups, type);
  check_gradients({{1, 3, 5, 7}, {5, 3, 1, 1}}, ACL_FLOAT);
}

TEST_F(DeformableConvolution, TensorsMayBeAnyView) {
  const DeformCase c{{2, 2, 4, 5}, {3, 2, 2, 3}, {1, 1}, {1, 0, 1, 1}, {1, 1}};
  Views views;
  views.input = {{60, 1, 11, 2}, 3};
  views.weight = {{13, 1, 2, 4}, 1};
  views.offset = {{800, 1, 190, 37}, 2};  // channels last
  views.output = {{70, 1, 18, 3}, 5};
  views.samples = {{301, 150, 16, 1}, 1};
  check(c, ACL_FLOAT, views);
  check_gradients(c, ACL_FLOAT, views);
}

TEST_F(DeformableConvolution, OfAnEmptyBatchHasNoGradient) {
  const DeformCase c{{0, 2, 4, 5}, {3, 2, 2, 3}};
  check(c, ACL_FLOAT);
  check_gradients(c, ACL_FLOAT);
}

TEST_F(DeformableConvolution, ChannelsMayBeMoreThanALoopHasIterations) {
  check_gradients({{1, 60013, 1, 1}, {1, 60013, 1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}, 1, 1, false}, ACL_FLOAT);
}

TEST_F(DeformableConvolution, APlaceThatIsNoNumberIsOutside) {
  OpTensor input(ACL_FLOAT, {1, 1, 1, 7});
  OpTensor weight(ACL_FLOAT, {1, 1, 1, 1});
  OpTensor offset(ACL_FLOAT, {1, 3, 1, 7});
  input.fill([](std::int64_t i) { return Real(i + 1); });
  weight.fill([](std::int64_t) { return Real(1); });
  const std::vector<Real> along_columns = {NAN, INFINITY, -1e30L, 1e30L, 0, 0, 0};
  const std::vector<Real> along_rows = {0, 0, 0, 0, NAN, 0, 0};
  const std::vector<Real> factors = {1, 1, 1, 1, 1, NAN, 2};
  offset.fill([&](std::int64_t i) { return (i < 7 ? along_columns : i < 14 ? along_rows : factors)[place(i % 7)]; });
  const OpTensor out(ACL_FLOAT, {1, 1, 1, 7});
  const Attributes own({{1, 1, 1, 7}, {1, 1, 1, 1}});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnDeformableConv2dGetWorkspaceSize(input.get(), weight.get(), offset.get(), nullptr, own.kernel.get(),
                                                     own.stride.get(), own.padding.get(), own.dilation.get(), 1, 1,
                                                     true, out.get(), nullptr, n, e);
      },
      aclnnDeformableConv2d, {&input, &weight, &offset}, out);
  expect(out, bytes, {0, 0, 0, 0, 0, NAN, 14});
}

TEST_F(DeformableConvolution, RefusesOthers) {
  const DeformCase c{{2, 4, 5, 6}, {2, 4, 3, 3}, {1, 1}, {1, 1, 1, 1}};
  const OpTensor input(ACL_FLOAT, c.input);
  const OpTensor weight(ACL_FLOAT, c.weight);
  const OpTensor offset(ACL_FLOAT, c.offset());
  const OpTensor half(ACL_FLOAT16, c.offset());
  const OpTensor bias(ACL_FLOAT, {2});
  const OpTensor out(ACL_FLOAT, c.output());
  const OpTensor samples(ACL_FLOAT, c.samples());
  const OpInts two({1, 1});
  const OpInts batches({2, 1, 1, 1});
  const Attributes own(c);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  struct Call {
    const aclTensor* offset;
    const OpInts* stride;
    const OpInts* kernel;
    std::int64_t groups = 1;
    std::int64_t deformable_groups = 1;
    bool modulated = true;
  };
  const auto plan = [&](const Call& call, aclTensor* bias_handle, aclTensor* result, aclTensor* kept) {
    return aclnnDeformableConv2dGetWorkspaceSize(
        input.get(), weight.get(), call.offset, bias_handle, call.kernel->get(),
        call.stride ? call.stride->get() : nullptr, own.padding.get(), own.dilation.get(), call.groups,
        call.deformable_groups, call.modulated, result, kept, &size, &executor);
  };
  const auto code = [&](const Call& call) { return plan(call, bias.get(), out.get(), samples.get()); };
  EXPECT_EQ(code({offset.get(), &own.stride, &own.kernel}), 0);
  EXPECT_EQ(code({nullptr, &own.stride, &own.kernel}), 161001);
  EXPECT_EQ(code({offset.get(), nullptr, &own.kernel}), 161001);
  EXPECT_EQ(plan({offset.get(), &own.stride, &own.kernel}, nullptr, nullptr, nullptr), 161001);
  EXPECT_EQ(code({half.get(), &own.stride, &own.kernel}), 161002);
  EXPECT_EQ(code({input.get(), &own.stride, &own.kernel}), 161002);
  EXPECT_EQ(code({offset.get(), &two, &own.kernel}), 161002);
  EXPECT_EQ(code({offset.get(), &batches, &own.kernel}), 161002);
  EXPECT_EQ(code({offset.get(), &own.stride, &two}), 161002);
  EXPECT_EQ(code({offset.get(), &own.stride, &own.kernel, 3}), 161002);
  EXPECT_EQ(code({offset.get(), &own.stride, &own.kernel, 1, 0}), 161002);
  EXPECT_EQ(code({offset.get(), &own.stride, &own.kernel, 1, 3}), 161002);
  EXPECT_EQ(code({offset.get(), &own.stride, &own.kernel, 1, 2}), 161002);
  EXPECT_EQ(code({offset.get(), &own.stride, &own.kernel, 1, 1, false}), 161002);
  EXPECT_EQ(plan({offset.get(), &own.stride, &own.kernel}, out.get(), out.get(), nullptr), 161002);
  EXPECT_EQ(plan({offset.get(), &own.stride, &own.kernel}, nullptr, samples.get(), nullptr), 161002);
  EXPECT_EQ(plan({offset.get(), &own.stride, &own.kernel}, nullptr, out.get(), input.get()), 161002);
}

TEST_F(DeformableConvolution, RefusesOtherGradients) {
  const DeformCase c{{2, 4, 5, 6}, {2, 4, 3, 3}, {1, 1}, {1, 1, 1, 1}};
  const OpTensor input(ACL_FLOAT, c.input);
  const OpTensor weight(ACL_FLOAT, c.weight);
  const OpTensor offset(ACL_FLOAT, c.offset());
  const OpTensor gradient(ACL_FLOAT, c.output());
  const OpTensor samples(ACL_FLOAT, c.samples());
  const OpTensor half(ACL_FLOAT16, c.samples());
  const OpTensor dx(ACL_FLOAT, c.input);
  const OpTensor dw(ACL_FLOAT, c.weight);
  const OpTensor doffset(ACL_FLOAT, c.offset());
  const OpTensor db(ACL_FLOAT, {2});
  const Attributes own(c);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* dy, const aclTensor* taken, aclTensor* to_input, aclTensor* to_weight,
                        aclTensor* to_offset, aclTensor* to_bias) {
    return aclnnDeformableConv2dBackwardGetWorkspaceSize(
        input.get(), dy, taken, weight.get(), offset.get(), own.kernel.get(), own.stride.get(), own.padding.get(),
        own.dilation.get(), 1, 1, true, to_input, to_weight, to_offset, to_bias, &size, &executor);
  };
  EXPECT_EQ(plan(gradient.get(), samples.get(), dx.get(), dw.get(), doffset.get(), db.get()), 0);
  EXPECT_EQ(plan(gradient.get(), samples.get(), dx.get(), dw.get(), doffset.get(), nullptr), 0);
  EXPECT_EQ(plan(nullptr, samples.get(), dx.get(), dw.get(), doffset.get(), db.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), nullptr, dx.get(), dw.get(), doffset.get(), db.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), samples.get(), nullptr, dw.get(), doffset.get(), db.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), samples.get(), dx.get(), nullptr, doffset.get(), db.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), samples.get(), dx.get(), dw.get(), nullptr, db.get()), 161001);
  EXPECT_EQ(plan(samples.get(), samples.get(), dx.get(), dw.get(), doffset.get(), db.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), half.get(), dx.get(), dw.get(), doffset.get(), db.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), gradient.get(), dx.get(), dw.get(), doffset.get(), db.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), samples.get(), dw.get(), dw.get(), doffset.get(), db.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), samples.get(), dx.get(), dx.get(), doffset.get(), db.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), samples.get(), dx.get(), dw.get(), dx.get(), db.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), samples.get(), dx.get(), dw.get(), doffset.get(), dx.get()), 161002);
}

}  // namespace
}  // namespace aclvk::test
