#include <cstring>

#include "aclnnop/aclnn_clipped_swiglu.h"
#include "aclnnop/aclnn_flash_attention_score.h"
#include "aclnnop/aclnn_fused_quant_matmul.h"
#include "aclnnop/aclnn_quant_matmul.h"
#include "aclnnop/aclnn_quant_matmul_dequant.h"
#include "aclnnop/aclnn_quant_matmul_v3.h"
#include "aclnnop/aclnn_quant_matmul_v4.h"
#include "aclnnop/aclnn_quant_matmul_v5.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "support/op_fixture.hpp"

// Executors have their tensors in the order of the operator's parameters, and those that were left out count.

namespace aclvk::test {
namespace {

using Tensors = std::vector<const OpTensor*>;

constexpr std::int64_t kM = 5, kK = 16, kN = 8;

/// Two tensors of a kind whose elements differ everywhere.
class Pair {
 public:
  Pair(aclDataType type, const Shape& shape) : first_(type, shape), second_(type, shape) {
    first_.fill([type](std::int64_t i) { return element(type, 1 + i % 3); });
    second_.fill([type](std::int64_t i) { return element(type, 2 + i % 3); });
  }
  const OpTensor& first() const { return first_; }
  const OpTensor& second() const { return second_; }

 private:
  /// Words of 64 bits are scales: floats in their lower half.
  static Number element(aclDataType type, std::int64_t value) {
    if (type != ACL_UINT64) return Real(value);
    const auto scale = static_cast<float>(value);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &scale, sizeof(bits));
    return Real(bits);
  }

  OpTensor first_;
  OpTensor second_;
};

const aclTensor* handle_of(const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; }

class SlotOrder : public OpTest {
 protected:
  /// Plans the operator on these tensors, null for one that is left out.
  using PlanOf = std::function<aclnnStatus(const Tensors&, uint64_t*, aclOpExecutor**)>;

  /// Each input, in the order of the parameters, is read from another place when the executor is set so, and makes
  /// what a plan on that place makes.
  static void check_inputs(const PlanOf& plan, Launch launch, const std::vector<const Pair*>& inputs,
                           const OpTensor& out) {
    Tensors first;
    for (const Pair* input : inputs) {
      first.push_back(input ? &input->first() : nullptr);
      if (!input) continue;
      input->first().upload();
      input->second().upload();
    }
    const auto before = result(plan, launch, first, {}, out);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "input " << i);
      if (!inputs[i]) {
        expect_none(plan, first, i);
        continue;
      }
      Tensors replaced = first;
      replaced[i] = &inputs[i]->second();
      const auto expected = result(plan, launch, replaced, {}, out);
      EXPECT_FALSE(expected == before) << "the tensors cannot be told apart";
      EXPECT_TRUE(result(plan, launch, first, {i, replaced[i]}, out) == expected);
    }
    expect_none(plan, first, inputs.size());
  }

 private:
  struct Moved {
    std::size_t index = 0;
    const OpTensor* to = nullptr;
  };

  static std::vector<std::byte> result(const PlanOf& plan, Launch launch, const Tensors& inputs, const Moved& moved,
                                       const OpTensor& out) {
    out.upload();
    const auto plan_and_move = [&](uint64_t* size, aclOpExecutor** executor) {
      const aclnnStatus planned = plan(inputs, size, executor);
      if (planned != 0 || !moved.to) return planned;
      return aclSetInputTensorAddr(*executor, moved.index, inputs[moved.index]->get(), moved.to->memory());
    };
    enqueue(plan_and_move, launch);
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0) << aclGetRecentErrMsg();
    if (moved.to) inputs[moved.index]->place(inputs[moved.index]->memory());
    return out.download();
  }

  static void expect_none(const PlanOf& plan, const Tensors& inputs, std::size_t index) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(plan(inputs, &size, &executor), 0) << aclGetRecentErrMsg();
    const OpTensor& any = *inputs.front();
    EXPECT_EQ(aclSetInputTensorAddr(executor, index, any.get(), any.memory()), 161002);
    EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  }
};

class QuantProductSlots : public SlotOrder {
 protected:
  const Pair x1{ACL_INT8, {kM, kK}};
  const Pair x2{ACL_INT8, {kK, kN}};
  const Pair rows{ACL_FLOAT, {kM}};
  const Pair columns{ACL_FLOAT, {kN}};
  const Pair bias{ACL_INT32, {kN}};
  const OpTensor out{ACL_FLOAT16, {kM, kN}};
};

TEST_F(QuantProductSlots, OfTheFirstVersionsHaveTheBiasAfterTheFactors) {
  const Pair words(ACL_UINT64, {kN});
  check_inputs(
      [&](const Tensors& in, auto* n, auto** e) {
        return aclnnQuantMatmulGetWorkspaceSize(in[0]->get(), in[1]->get(), handle_of(in[2]), 0.5F, out.get(), n, e);
      },
      aclnnQuantMatmul, {&x1, &x2, &bias}, out);
  check_inputs(
      [&](const Tensors& in, auto* n, auto** e) {
        return aclnnQuantMatmulV2GetWorkspaceSize(in[0]->get(), in[1]->get(), handle_of(in[2]), in[3]->get(), false,
                                                  false, out.get(), n, e);
      },
      aclnnQuantMatmulV2, {&x1, &x2, &bias, &words}, out);
}

TEST_F(QuantProductSlots, OfVersionsThreeAndFour) {
  check_inputs(
      [&](const Tensors& in, auto* n, auto** e) {
        return aclnnQuantMatmulV3GetWorkspaceSize(in[0]->get(), in[1]->get(), in[2]->get(), handle_of(in[3]),
                                                  handle_of(in[4]), false, false, out.get(), n, e);
      },
      aclnnQuantMatmulV3, {&x1, &x2, &columns, nullptr, &bias}, out);
  check_inputs(
      [&](const Tensors& in, auto* n, auto** e) {
        return aclnnQuantMatmulV4GetWorkspaceSize(in[0]->get(), in[1]->get(), in[2]->get(), handle_of(in[3]),
                                                  handle_of(in[4]), handle_of(in[5]), false, false, out.get(), n, e);
      },
      aclnnQuantMatmulV4, {&x1, &x2, &columns, nullptr, &rows, &bias}, out);
}

TEST_F(QuantProductSlots, OfVersionFive) {
  check_inputs(
      [&](const Tensors& in, auto* n, auto** e) {
        return aclnnQuantMatmulV5GetWorkspaceSize(in[0]->get(), in[1]->get(), handle_of(in[2]), in[3]->get(),
                                                  handle_of(in[4]), handle_of(in[5]), handle_of(in[6]),
                                                  handle_of(in[7]), handle_of(in[8]), false, false, 0, out.get(), n, e);
      },
      aclnnQuantMatmulV5, {&x1, &x2, &rows, &columns, nullptr, nullptr, nullptr, nullptr, &bias}, out);
}

TEST_F(QuantProductSlots, OfFusedProducts) {
  const Pair x3(ACL_FLOAT16, {kM, kN});
  char kind[] = "add";
  check_inputs(
      [&](const Tensors& in, auto* n, auto** e) {
        return aclnnFusedQuantMatmulGetWorkspaceSize(
            in[0]->get(), in[1]->get(), handle_of(in[2]), in[3]->get(), handle_of(in[4]), handle_of(in[5]),
            handle_of(in[6]), handle_of(in[7]), handle_of(in[8]), handle_of(in[9]), kind, 0, out.get(), n, e);
      },
      aclnnFusedQuantMatmul, {&x1, &x2, &rows, &columns, nullptr, nullptr, nullptr, nullptr, &bias, &x3}, out);
}

TEST_F(QuantProductSlots, OfQuantisedWeights) {
  const Pair x(ACL_FLOAT16, {kM, kK});
  const Pair numbers(ACL_FLOAT16, {kN});
  const Pair offsets(ACL_FLOAT16, {kN});
  const Pair halves(ACL_FLOAT16, {kN});
  check_inputs(
      [&](const Tensors& in, auto* n, auto** e) {
        return aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(in[0]->get(), in[1]->get(), in[2]->get(), in[3]->get(),
                                                             handle_of(in[4]), handle_of(in[5]), in[6]->get(), 0,
                                                             out.get(), n, e);
      },
      aclnnWeightQuantBatchMatmulV2, {&x, &x2, &numbers, &offsets, nullptr, nullptr, &halves}, out);
  check_inputs(
      [&](const Tensors& in, auto* n, auto** e) {
        return aclnnWeightQuantBatchMatmulGetWorkspaceSize(
            in[0]->get(), in[1]->get(), handle_of(in[2]), handle_of(in[3]), handle_of(in[4]), handle_of(in[5]),
            handle_of(in[6]), handle_of(in[7]), false, false, 0.25F, 3.0F, out.get(), n, e);
      },
      aclnnWeightQuantBatchMatmul, {&x, &x2, nullptr, nullptr, nullptr, nullptr, nullptr, &halves}, out);
}

TEST_F(QuantProductSlots, OfProductsThatQuantiseTheirInput) {
  const Pair x(ACL_FLOAT16, {kM, kK});
  const Pair weight(ACL_INT8, {kN, kK});
  const Pair smooth(ACL_FLOAT16, {kK});
  char mode[] = "pertoken";
  check_inputs(
      [&](const Tensors& in, auto* n, auto** e) {
        return aclnnQuantMatmulDequantGetWorkspaceSize(in[0]->get(), in[1]->get(), in[2]->get(), handle_of(in[3]),
                                                       handle_of(in[4]), handle_of(in[5]), handle_of(in[6]), mode, true,
                                                       out.get(), n, e);
      },
      aclnnQuantMatmulDequant, {&x, &weight, &columns, nullptr, &rows, nullptr, &smooth}, out);
}

TEST_F(SlotOrder, OfClippedSwiglu) {
  const Pair x(ACL_FLOAT, {4, 6});
  const Pair groups(ACL_INT64, {1});  // one row, or two
  const OpTensor out(ACL_FLOAT, {4, 3});
  check_inputs(
      [&](const Tensors& in, auto* n, auto** e) {
        return aclnnClippedSwigluGetWorkspaceSize(in[0]->get(), in[1]->get(), 1, 1.5, 7, 1, false, out.get(), n, e);
      },
      aclnnClippedSwiglu, {&x, &groups}, out);
}

TEST_F(SlotOrder, OfAttentionHasTheStatisticsFirst) {
  OpTensor x(ACL_FLOAT, {1, 2, 4, 16});
  x.fill_random(1).upload();
  const OpTensor top(ACL_FLOAT, {1, 2, 4, 8});
  const OpTensor sum(ACL_FLOAT, {1, 2, 4, 8});
  const OpTensor out(ACL_FLOAT, {1, 2, 4, 16});
  char layout[] = "BNSD";
  const std::vector<const OpTensor*> written = {&top, &sum, nullptr, &out};
  const auto plan = [&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnFlashAttentionScoreGetWorkspaceSize(x.get(), x.get(), x.get(), nullptr, nullptr, nullptr, nullptr,
                                                    nullptr, 1, 1, 65536, 65536, 2, layout, 0, 0, top.get(), sum.get(),
                                                    nullptr, out.get(), size, executor);
  };
  for (const OpTensor* tensor : {&top, &sum, &out}) tensor->upload();
  enqueue(plan, aclnnFlashAttentionScore);
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  for (std::size_t i = 0; i < written.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "output " << i);
    const OpTensor replacement(ACL_FLOAT, written[i] ? written[i]->shape() : x.shape());
    replacement.upload();
    aclnnStatus moved = -1;
    const auto plan_and_move = [&](uint64_t* size, aclOpExecutor** executor) {
      const aclnnStatus planned = plan(size, executor);
      moved = aclSetOutputTensorAddr(*executor, i, replacement.get(), replacement.memory());
      return planned;
    };
    enqueue(plan_and_move, aclnnFlashAttentionScore);
    ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
    EXPECT_EQ(moved, written[i] ? 0 : 161002);
    if (!written[i]) continue;
    EXPECT_TRUE(replacement.download() == written[i]->download());
  }
}

}  // namespace
}  // namespace aclvk::test
