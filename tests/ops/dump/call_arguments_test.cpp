#include "acl/acl_dump.h"
#include "acl/rt/dump.h"
#include "aclnnop/aclnn_apply_adam.h"
#include "aclnnop/aclnn_apply_rotary_pos_emb.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_foreach_mul_list_inplace.h"
#include "aclnnop/aclnn_gelu_backward.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_log2.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_rrelu_with_noise.h"
#include "support/op_arguments.hpp"
#include "support/recorded_calls.hpp"

// The roles of tensors in dumps (docs/recording.md): which ones an operator reads and writes. Some headers declare
// outputs const.

namespace aclvk::test {
namespace {

class RecordedRoles : public OpTest {
 protected:
  void SetUp() override {
    const std::string text =
        R"({"dump": {"dump_path": ")" + folder.path() + R"(/dump", "dump_op_switch": "on", "dump_mode": "all"}})";
    ASSERT_EQ(aclmdlInitDump(), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(aclmdlSetDump(folder.file("config.json", text).c_str()), 0) << aclGetRecentErrMsg();
    place = acldumpGetPath(DATA_DUMP) + std::string("/0");
  }
  void TearDown() override { EXPECT_EQ(aclmdlFinalizeDump(), 0); }

  /// Returns the dump of a call.
  Json record(const Plan& plan, Launch launch, const std::vector<const OpTensor*>& tensors) {
    for (const OpTensor* tensor : tensors) tensor->upload();
    enqueue(plan, launch);
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0) << aclGetRecentErrMsg();
    const auto calls = recorded_calls(place);
    EXPECT_FALSE(calls.empty());
    return calls.empty() ? Json() : calls.back();
  }
  static void expect_roles(const Json& call, const std::vector<std::pair<const char*, const char*>>& roles) {
    for (const auto& [name, role] : roles) {
      const Json argument = argument_of(call, name);
      const Json& tensor = argument.contains("tensors") ? argument.at("tensors").at(0) : argument;
      EXPECT_EQ(tensor.at("role"), role) << name;
      EXPECT_EQ(tensor.contains("before"), std::string(role) != "output") << name;
      EXPECT_EQ(tensor.contains("after"), std::string(role) != "input") << name;
    }
  }

  Folder folder;
  std::string place;  // the folder of the dump
};

/// A tensor filled with one number.
struct Same : OpTensor {
  Same(const Shape& shape, Real value, aclDataType type = ACL_FLOAT) : OpTensor(type, shape) {
    fill([=](std::int64_t) { return value; });
  }
};

TEST_F(RecordedRoles, OfWhatIsConstAndUpdatedInPlace) {
  const Same four({3}, 4);
  Json call = record([&](auto* n, auto** e) { return aclnnInplaceLog2GetWorkspaceSize(four.get(), n, e); },
                     aclnnInplaceLog2, {&four});
  expect_roles(call, {{"selfRef", "in-place"}});
  EXPECT_EQ(recorded_values(place, call, "selfRef", "before"), (std::vector<float>{4, 4, 4}));
  EXPECT_EQ(recorded_values(place, call, "selfRef", "after"), (std::vector<float>{2, 2, 2}));
  call = record([&](auto* n, auto** e) { return aclnnInplaceHardswishGetWorkspaceSize(four.get(), n, e); },
                aclnnInplaceHardswish, {&four});
  expect_roles(call, {{"self", "in-place"}});
}

TEST_F(RecordedRoles, OfListsThatAreConstAndUpdatedInPlace) {
  const Same a({3}, 4), b({2}, 5), x({3}, 2), y({2}, 3);
  const OpList lefts({&a, &b}), rights({&x, &y});
  const Json call = record(
      [&](auto* n, auto** e) { return aclnnForeachMulListInplaceGetWorkspaceSize(lefts.get(), rights.get(), n, e); },
      aclnnForeachMulListInplace, {&a, &b, &x, &y});
  expect_roles(call, {{"x1", "in-place"}, {"x2", "input"}});
}

TEST_F(RecordedRoles, OfResultsThatAreConst) {
  const Same gradient({3}, 1), self({3}, 2), out({3}, 7);
  const Json call = record(
      [&](auto* n, auto** e) { return aclnnGeluBackwardGetWorkspaceSize(gradient.get(), self.get(), out.get(), n, e); },
      aclnnGeluBackward, {&gradient, &self, &out});
  expect_roles(call, {{"gradOutput", "input"}, {"self", "input"}, {"gradInput", "output"}});
}

TEST_F(RecordedRoles, OfTheStateOfAnOptimizer) {
  const Same variable({3}, 4), m({3}, 1), v({3}, 2), gradient({3}, 1), number({1}, 0.5L);
  aclTensor* const one = number.get();
  const Json call = record(
      [&](auto* n, auto** e) {
        return aclnnApplyAdamGetWorkspaceSize(variable.get(), m.get(), v.get(), one, one, one, one, one, one,
                                              gradient.get(), false, false, n, e);
      },
      aclnnApplyAdam, {&variable, &m, &v, &gradient, &number});
  expect_roles(call, {{"varRef", "in-place"},
                      {"m", "in-place"},
                      {"v", "in-place"},
                      {"beta1Power", "input"},
                      {"epsilon", "input"},
                      {"grad", "input"}});
  EXPECT_EQ(recorded_values(place, call, "m", "before"), (std::vector<float>{1, 1, 1}));
}

TEST_F(RecordedRoles, OfRotatedTokens) {
  const Same query({1, 2, 1, 64}, 4), key({1, 2, 1, 64}, 1), cos({1, 2, 1, 64}, 2), sin({1, 2, 1, 64}, 1);
  const Json call = record(
      [&](auto* n, auto** e) {
        return aclnnApplyRotaryPosEmbGetWorkspaceSize(query.get(), key.get(), cos.get(), sin.get(), 1, n, e);
      },
      aclnnApplyRotaryPosEmb, {&query, &key, &cos, &sin});
  expect_roles(call, {{"queryRef", "in-place"}, {"keyRef", "in-place"}, {"cos", "input"}, {"sin", "input"}});
}

TEST_F(RecordedRoles, OfRandomSlopesInPlace) {
  const Same self({3}, -4), noise({3}, 1);
  const OpScalar lower(ACL_FLOAT, 0.25L), upper(ACL_FLOAT, 0.5L);
  const Json call = record(
      [&](auto* n, auto** e) {
        return aclnnInplaceRReluWithNoiseGetWorkspaceSize(self.get(), noise.get(), lower.get(), upper.get(), true, 1, 0,
                                                          n, e);
      },
      aclnnInplaceRReluWithNoise, {&self, &noise});
  expect_roles(call, {{"self", "in-place"}, {"noise", "output"}});
}

TEST_F(RecordedRoles, OfACopyIsThatOfAResult) {
  const Same self({3}, 1), source({3}, 2);
  const Json call =
      record([&](auto* n, auto** e) { return aclnnInplaceCopyGetWorkspaceSize(self.get(), source.get(), n, e); },
             aclnnInplaceCopy, {&self, &source});
  expect_roles(call, {{"selfRef", "output"}, {"src", "input"}});
}

TEST_F(RecordedRoles, TwoHandlesOfOneMemoryAreTwoParameters) {
  const Same self({3}, 3);
  const Json call =
      record([&](auto* n, auto** e) { return aclnnInplaceMulGetWorkspaceSize(self.get(), self.get(), n, e); },
             aclnnInplaceMul, {&self});
  expect_roles(call, {{"selfRef", "in-place"}, {"other", "input"}});
}

/// A FRACTAL_NZ tensor of 19 x 37 elements in blocks of 16 x 16, or its transpose.
class Blocks {
 public:
  Blocks(const OpTensor& memory, bool one_dim, bool transposed) {
    const Shape shape = transposed ? Shape{37, 19} : Shape{19, 37};
    const Shape strides = transposed ? Shape{1, 37} : Shape{37, 1};
    const Shape held = one_dim ? Shape{3 * 2 * 16 * 16} : memory.shape();
    handle_ = aclCreateTensor(shape.data(), 2, ACL_FLOAT16, strides.data(), 0, ACL_FORMAT_FRACTAL_NZ, held.data(),
                              held.size(), memory.memory());
  }
  ~Blocks() { aclDestroyTensor(handle_); }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  aclTensor* get() const { return handle_; }

 private:
  aclTensor* handle_;
};

TEST_F(RecordedRoles, BlocksAreWrittenRowByRow) {
  using Bits = std::vector<std::uint16_t>;
  OpTensor plain(ACL_FLOAT16, {19, 37});
  plain.fill([](std::int64_t i) -> Number { return Real(i); });
  const OpTensor storage(ACL_FLOAT16, {3, 2, 16, 16}), back(ACL_FLOAT16, {37, 19});
  for (const bool one_dim : {false, true}) {
    const Blocks blocks(storage, one_dim, false), transposed(storage, one_dim, true);
    Json call =
        record([&](auto* n, auto** e) { return aclnnNpuFormatCastGetWorkspaceSize(plain.get(), blocks.get(), n, e); },
               aclnnNpuFormatCast, {&plain, &storage});
    const Bits bits = recorded_values<std::uint16_t>(place, call, "srcTensor", "before");
    EXPECT_EQ(recorded_values<std::uint16_t>(place, call, "dstTensor", "after"), bits);
    call = record(
        [&](auto* n, auto** e) { return aclnnNpuFormatCastGetWorkspaceSize(transposed.get(), back.get(), n, e); },
        aclnnNpuFormatCast, {&back});
    Bits swapped;
    for (std::size_t i = 0; i < 37 * 19; ++i) swapped.push_back(bits[i % 19 * 37 + i / 19]);
    EXPECT_EQ(recorded_values<std::uint16_t>(place, call, "srcTensor", "before"), swapped);
  }
}

}  // namespace
}  // namespace aclvk::test
