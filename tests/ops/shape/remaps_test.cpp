#include "aclnnop/aclnn_circular_pad2d.h"
#include "aclnnop/aclnn_circular_pad3d.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_flip.h"
#include "aclnnop/aclnn_im2col.h"
#include "aclnnop/aclnn_reflection_pad1d.h"
#include "aclnnop/aclnn_reflection_pad2d.h"
#include "aclnnop/aclnn_reflection_pad3d.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_replication_pad1d.h"
#include "aclnnop/aclnn_replication_pad2d.h"
#include "aclnnop/aclnn_replication_pad3d.h"
#include "aclnnop/aclnn_roll.h"
#include "aclnnop/aclnn_tril.h"
#include "aclnnop/aclnn_triu.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,      ACL_UINT8,
                                  ACL_INT16, ACL_INT32,   ACL_INT64, ACL_BOOL,   ACL_COMPLEX64, ACL_COMPLEX128};

std::int64_t modulo(std::int64_t value, std::int64_t size) { return (value % size + size) % size; }

class Remaps : public MoveTest {};
class RemapTypes : public Remaps, public testing::WithParamInterface<aclDataType> {};

TEST_P(RemapTypes, Flip) {
  struct Case {
    std::vector<std::int64_t> dims;
    View view;
  };
  for (const Case& c : {Case{{0}, {}}, Case{{-1}, {}}, Case{{0, 1, 2}, {{1, 3, 15}, 2}}, Case{{}, {}}}) {
    OpTensor self(GetParam(), {3, 5, 8}, c.view);
    self.fill_random(1);
    const OpTensor out(GetParam(), {3, 5, 8});
    const OpInts dims(c.dims);
    check_moved([&](auto* n, auto** e) { return aclnnFlipGetWorkspaceSize(self.get(), dims.get(), out.get(), n, e); },
                aclnnFlip, self, out,
                [&](Shape at) {
                  for (const std::int64_t dim : c.dims) {
                    const auto i = static_cast<std::size_t>(modulo(dim, 3));
                    at[i] = self.shape()[i] - 1 - at[i];
                  }
                  return at;
                });
  }
}

TEST_P(RemapTypes, Repeat) {
  struct Case {
    std::vector<std::int64_t> repeats;
    Shape out;
  };
  for (const Case& c : {Case{{2, 3}, {6, 15}}, Case{{2, 1, 4}, {2, 3, 20}}, Case{{1, 1}, {3, 5}}, Case{{0, 2}, {0, 10}},
                        Case{{2, 1, 1, 2, 1, 2, 3, 2}, {2, 1, 1, 2, 1, 2, 9, 10}}}) {
    OpTensor self(GetParam(), {3, 5}, {{1, 4}, 1});
    self.fill_random(2);
    const OpTensor out(GetParam(), c.out);
    const OpInts repeats(c.repeats);
    check_moved(
        [&](auto* n, auto** e) { return aclnnRepeatGetWorkspaceSize(self.get(), repeats.get(), out.get(), n, e); },
        aclnnRepeat, self, out,
        [](Shape at) {
          return Shape{at[at.size() - 2] % 3, at[at.size() - 1] % 5};
        });
  }
}

TEST_P(RemapTypes, PadWithAConstant) {
  struct Case {
    std::vector<std::int64_t> pad;
    Shape out;
  };
  for (const Case& c : {Case{{1, 2}, {3, 8}}, Case{{0, 1, 2, 0}, {5, 6}}, Case{{-1, -2, 1, 1}, {5, 2}},
                        Case{{}, {3, 5}}, Case{{-3, 4, -3, 2}, {2, 6}}}) {
    OpTensor self(GetParam(), {3, 5}, {{7, 1}, 1});
    self.fill_random(3);
    const OpTensor out(GetParam(), c.out);
    const OpInts pad(c.pad);
    const OpScalar value(ACL_FLOAT, 1);
    check_moved(
        [&](auto* n, auto** e) {
          return aclnnConstantPadNdGetWorkspaceSize(self.get(), pad.get(), value.get(), out.get(), n, e);
        },
        aclnnConstantPadNd, self, out,
        [&](Shape at) {
          for (std::size_t i = 0; 2 * i < c.pad.size(); ++i) at[1 - i] -= c.pad[2 * i];
          return at[0] < 0 || at[0] >= 3 || at[1] < 0 || at[1] >= 5 ? kFiller : at;
        },
        1);
  }
}

TEST_P(RemapTypes, KeepATriangle) {
  if (GetParam() == ACL_COMPLEX128) return;  // no matrix type of these operators
  for (const std::int64_t diagonal : {0, 2, -1, 100, -100}) {
    for (const Shape& shape : {Shape{5, 5}, Shape{3, 8}, Shape{2, 7, 3}}) {
      OpTensor self(GetParam(), shape);
      self.fill_random(4);
      const OpTensor out(GetParam(), shape);
      const auto below = [&](const Shape& at) { return at[at.size() - 1] - at[at.size() - 2] <= diagonal; };
      const auto above = [&](const Shape& at) { return at[at.size() - 1] - at[at.size() - 2] >= diagonal; };
      check_moved([&](auto* n, auto** e) { return aclnnTrilGetWorkspaceSize(self.get(), diagonal, out.get(), n, e); },
                  aclnnTril, self, out, [&](Shape at) { return below(at) ? at : kFiller; });
      check_moved([&](auto* n, auto** e) { return aclnnTriuGetWorkspaceSize(self.get(), diagonal, out.get(), n, e); },
                  aclnnTriu, self, out, [&](Shape at) { return above(at) ? at : kFiller; });
      check_moved([&](auto* n, auto** e) { return aclnnInplaceTriuGetWorkspaceSize(self.get(), diagonal, n, e); },
                  aclnnInplaceTriu, self, self, [&](Shape at) { return above(at) ? at : kFiller; });
      check_moved([&](auto* n, auto** e) { return aclnnInplaceTrilGetWorkspaceSize(self.get(), diagonal, n, e); },
                  aclnnInplaceTril, self, self, [&](Shape at) { return below(at) ? at : kFiller; });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, RemapTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(Remaps, Roll) {
  struct Case {
    std::vector<std::int64_t> shifts, dims;
  };
  for (const aclDataType type : {ACL_BF16, ACL_FLOAT, ACL_INT8, ACL_INT64, ACL_UINT32, ACL_BOOL, ACL_COMPLEX64}) {
    for (const Case& c :
         {Case{{1}, {0}}, Case{{-9, 4}, {1, 0}}, Case{{2, 2}, {1, 1}}, Case{{7}, {}}, Case{{-32}, {}}}) {
      for (const View& view : {View{}, View{{1, 5}, 2}}) {
        OpTensor self(type, {5, 7}, view);
        self.fill_random(5);
        const OpTensor out(type, {5, 7}, view);
        const OpInts shifts(c.shifts);
        const OpInts dims(c.dims);
        check_moved(
            [&](auto* n, auto** e) {
              return aclnnRollGetWorkspaceSize(self.get(), shifts.get(), dims.get(), out.get(), n, e);
            },
            aclnnRoll, self, out,
            [&](Shape at) {
              if (c.dims.empty()) return coordinates_of(modulo(element_at(at, {5, 7}) - c.shifts[0], 35), {5, 7});
              for (std::size_t i = 0; i < c.dims.size(); ++i) {
                const auto dim = static_cast<std::size_t>(c.dims[i]);
                at[dim] = modulo(at[dim] - c.shifts[i], self.shape()[dim]);
              }
              return at;
            });
      }
    }
  }
}

/// A padding operator of the last dims.
struct Pad {
  const char* name;
  std::size_t dims;
  std::function<std::int64_t(std::int64_t, std::int64_t)> source;  ///< of a place, among so many
  aclnnStatus (*plan)(const aclTensor*, const aclIntArray*, aclTensor*, uint64_t*, aclOpExecutor**);
  Launch launch;
};

std::vector<Pad> pads() {
  const auto wrap = modulo;
  const auto nearest = [](std::int64_t at, std::int64_t size) { return std::clamp<std::int64_t>(at, 0, size - 1); };
  const auto reflect = [](std::int64_t at, std::int64_t size) {
    return at < 0 ? -at : at >= size ? 2 * size - 2 - at : at;
  };
#define PAD(name, dims, source) \
  { #name, dims, source, aclnn##name##GetWorkspaceSize, aclnn##name }
  return {PAD(CircularPad2d, 2, wrap),       PAD(CircularPad3d, 3, wrap),      PAD(ReflectionPad1d, 1, reflect),
          PAD(ReflectionPad2d, 2, reflect),  PAD(ReflectionPad3d, 3, reflect), PAD(ReplicationPad1d, 1, nearest),
          PAD(ReplicationPad2d, 2, nearest), PAD(ReplicationPad3d, 3, nearest)};
#undef PAD
}

TEST_F(Remaps, PadFromInside) {
  for (const Pad& pad : pads()) {
    SCOPED_TRACE(pad.name);
    const bool circular = std::string(pad.name).find("Circular") != std::string::npos;
    std::vector<aclDataType> types = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT32};
    if (!circular) types.insert(types.end(), {ACL_DOUBLE, ACL_INT64, ACL_BOOL, ACL_COMPLEX128, ACL_UINT16});
    for (const aclDataType type : types) {
      for (const std::size_t batch : {1, 2}) {
        Shape shape(batch, 2);
        const Shape last = {3, 4, 5};
        shape.insert(shape.end(), last.end() - static_cast<std::ptrdiff_t>(pad.dims), last.end());
        const std::vector<std::int64_t> values = {3, 1, 0, 2, 2, 1};
        const OpInts padding(
            std::vector<std::int64_t>(values.begin(), values.begin() + 2 * static_cast<std::ptrdiff_t>(pad.dims)));
        Shape padded = shape;
        for (std::size_t i = 0; i < pad.dims; ++i) padded[padded.size() - 1 - i] += values[2 * i] + values[2 * i + 1];
        OpTensor self(type, shape);
        self.fill_random(6);
        const OpTensor out(type, padded);
        check_moved([&](auto* n, auto** e) { return pad.plan(self.get(), padding.get(), out.get(), n, e); }, pad.launch,
                    self, out,
                    [&](Shape at) {
                      for (std::size_t i = 0; i < pad.dims; ++i) {
                        const std::size_t dim = at.size() - 1 - i;
                        at[dim] = pad.source(at[dim] - values[2 * i], shape[dim]);
                      }
                      return at;
                    });
      }
    }
  }
}

TEST_F(Remaps, MakeColumnsOfWindows) {
  struct Case {
    std::vector<std::int64_t> kernel, dilation, padding, stride;
  };
  for (const Case& c : {Case{{2, 3}, {1, 1}, {0, 0}, {1, 1}}, Case{{3, 2}, {1, 2}, {1, 2}, {2, 1}},
                        Case{{1, 1}, {3, 3}, {0, 1}, {2, 3}}}) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT64, ACL_DOUBLE}) {
      for (const bool batched : {false, true}) {
        OpTensor self(type, batched ? Shape{2, 3, 5, 7} : Shape{3, 5, 7});
        self.fill_random(7);
        const auto places = [&](std::size_t i, std::int64_t size) {
          return (size + 2 * c.padding[i] - c.dilation[i] * (c.kernel[i] - 1) - 1) / c.stride[i] + 1;
        };
        const std::int64_t down = places(0, 5);
        const std::int64_t across = places(1, 7);
        Shape shape = {3 * c.kernel[0] * c.kernel[1], down * across};
        if (batched) shape.insert(shape.begin(), 2);
        const OpTensor out(type, shape);
        const OpInts kernel(c.kernel);
        const OpInts dilation(c.dilation);
        const OpInts padding(c.padding);
        const OpInts stride(c.stride);
        check_moved(
            [&](auto* n, auto** e) {
              return aclnnIm2colGetWorkspaceSize(self.get(), kernel.get(), dilation.get(), padding.get(), stride.get(),
                                                 out.get(), n, e);
            },
            aclnnIm2col, self, out,
            [&](Shape at) {
              const std::int64_t row = at[at.size() - 2];
              const std::int64_t place = at[at.size() - 1];
              const std::int64_t channel = row / (c.kernel[0] * c.kernel[1]);
              const std::int64_t y =
                  place / across * c.stride[0] - c.padding[0] + row / c.kernel[1] % c.kernel[0] * c.dilation[0];
              const std::int64_t x = place % across * c.stride[1] - c.padding[1] + row % c.kernel[1] * c.dilation[1];
              if (y < 0 || y >= 5 || x < 0 || x >= 7) return kFiller;
              return batched ? Shape{at[0], channel, y, x} : Shape{channel, y, x};
            });
      }
    }
  }
}

TEST_F(Remaps, RefuseWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor self(ACL_FLOAT, {3, 5});
  const OpTensor out(ACL_FLOAT, {3, 5});
  const OpTensor whole(ACL_INT32, {3, 5});
  const OpTensor late(ACL_UINT32, {3, 5});
  const OpInts zero({0});
  const OpInts two({2});
  const OpInts twice({0, -2});
  const OpInts ones({1, 1});
  const OpInts wide({5, 1});
  const OpScalar value(ACL_FLOAT, 0);
  EXPECT_EQ(aclnnFlipGetWorkspaceSize(nullptr, zero.get(), out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnFlipGetWorkspaceSize(self.get(), nullptr, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnFlipGetWorkspaceSize(self.get(), two.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnFlipGetWorkspaceSize(self.get(), twice.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnFlipGetWorkspaceSize(late.get(), zero.get(), late.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnFlipGetWorkspaceSize(self.get(), zero.get(), self.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnRollGetWorkspaceSize(self.get(), ones.get(), zero.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnRollGetWorkspaceSize(self.get(), zero.get(), nullptr, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnRepeatGetWorkspaceSize(self.get(), zero.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnRepeatGetWorkspaceSize(self.get(), ones.get(), whole.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnConstantPadNdGetWorkspaceSize(self.get(), ones.get(), nullptr, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnConstantPadNdGetWorkspaceSize(self.get(), ones.get(), value.get(), out.get(), &size, &executor),
            161002);
  EXPECT_EQ(aclnnConstantPadNdGetWorkspaceSize(self.get(), zero.get(), value.get(), out.get(), &size, &executor),
            161002);
  EXPECT_EQ(aclnnReflectionPad1dGetWorkspaceSize(self.get(), wide.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnReflectionPad2dGetWorkspaceSize(self.get(), ones.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnTrilGetWorkspaceSize(self.get(), 0, whole.get(), &size, &executor), 161002);
  const OpTensor vector(ACL_FLOAT, {5});
  EXPECT_EQ(aclnnInplaceTriuGetWorkspaceSize(vector.get(), 0, &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
