#include "aclnnop/aclnn_add_lora.h"
#include "aclnnop/aclnn_batchmatmul_quant.h"
#include "aclnnop/aclnn_convert_weight_to_int4_pack.h"
#include "aclnnop/aclnn_quant_matmul_dequant.h"
#include "aclnnop/aclnn_quant_matmul_reduce_sum.h"
#include "aclnnop/aclnn_quant_matmul_v5.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "aclnnop/aclnn_trans_quant_param_v2.h"
#include "ops/matmul/products/product_reference.hpp"

namespace aclvk::test {
namespace {

/// Products of quantised matrices that have no rows, no depth or no columns: the sums are 0, and nothing else happens.
class EmptyQuant : public OpTest {
 protected:
  struct Sizes {
    std::int64_t m, k, n;
  };
  static constexpr Sizes kAll[] = {{0, 16, 8}, {4, 0, 8}, {4, 16, 0}};

  static void expect_zeros(const OpTensor& out, const std::vector<std::byte>& bytes) {
    expect_elements(
        out, bytes, [](std::int64_t) -> Number { return 0; }, true);
  }
};

TEST_F(EmptyQuant, MatrixHasSumsOfNothing) {
  for (const auto& [m, k, n] : kAll) {
    SCOPED_TRACE(testing::Message() << m << " x " << k << " x " << n);
    for (const aclDataType type : {ACL_INT8, ACL_FLOAT8_E4M3FN}) {
      const OpTensor x1(type, {m, k});
      const OpTensor x2(type, {k, n});
      const OpTensor scale(ACL_FLOAT, {n});
      const OpTensor out(ACL_FLOAT16, {m, n});
      expect_zeros(out, run(
                            [&, &a = x1, &b = x2](auto* size, auto** e) {
                              return aclnnQuantMatmulV5GetWorkspaceSize(a.get(), b.get(), nullptr, scale.get(), nullptr,
                                                                        nullptr, nullptr, nullptr, nullptr, false,
                                                                        false, 0, out.get(), size, e);
                            },
                            aclnnQuantMatmulV5, {&x1, &x2, &scale}, out));
    }
    const OpTensor halves(ACL_FLOAT16, {m, k});
    const OpTensor weight(ACL_INT8, {k, n});
    const OpTensor scale(ACL_FLOAT, {n});
    const OpTensor out(ACL_FLOAT16, {m, n});
    for (std::string mode : {"pertoken", "pertensor"}) {
      expect_zeros(out, run(
                            [&](auto* size, auto** e) {
                              return aclnnQuantMatmulDequantGetWorkspaceSize(halves.get(), weight.get(), scale.get(),
                                                                             nullptr, nullptr, nullptr, nullptr,
                                                                             mode.data(), false, out.get(), size, e);
                            },
                            aclnnQuantMatmulDequant, {&halves, &weight, &scale}, out));
    }
  }
}

TEST_F(EmptyQuant, BatchHasNone) {
  const OpTensor x1(ACL_INT8, {0, 4, 16});
  const OpTensor x2(ACL_INT8, {0, 16, 8});
  const OpTensor rows(ACL_FLOAT, {0, 4});
  const OpTensor scale(ACL_BF16, {8});
  const OpTensor out(ACL_BF16, {4, 8});
  const OpInts dims{0};
  expect_zeros(out, run(
                        [&](auto* n, auto** e) {
                          return aclnnQuantMatmulReduceSumWeightNzGetWorkspaceSize(
                              x1.get(), x2.get(), rows.get(), scale.get(), nullptr, nullptr, nullptr, nullptr, nullptr,
                              false, false, 0, dims.get(), false, out.get(), n, e);
                        },
                        aclnnQuantMatmulReduceSumWeightNz, {&x1, &x2, &rows, &scale}, out));
  const OpTensor a(ACL_FLOAT16, {0, 4, 16});
  const OpTensor b(ACL_FLOAT16, {0, 16, 8});
  const OpTensor words(ACL_UINT64, {8});
  const OpTensor integers(ACL_INT8, {0, 4, 8});
  run(
      [&](auto* n, auto** e) {
        return aclnnBatchMatmulQuantGetWorkspaceSize(a.get(), b.get(), words.get(), nullptr, false, false,
                                                     integers.get(), n, e);
      },
      aclnnBatchMatmulQuant, {&a, &b, &words}, integers);
}

TEST_F(EmptyQuant, WeightStaysAsItIs) {
  const OpTensor scale(ACL_FLOAT, {0});
  const OpTensor words(ACL_UINT64, {0});
  run([&](auto* n,
          auto** e) { return aclnnTransQuantParamV2GetWorkspaceSize(scale.get(), nullptr, words.get(), n, e); },
      aclnnTransQuantParamV2, {&scale}, words);
  const OpTensor weight(ACL_INT32, {0, 16});
  const OpTensor packed(ACL_INT32, {0, 2});
  run(
      [&](auto* n, auto** e) {
        return aclnnConvertWeightToINT4PackGetWorkspaceSize(weight.get(), const_cast<aclTensor*>(packed.get()), n, e);
      },
      aclnnConvertWeightToINT4Pack, {&weight}, packed);
  const OpTensor x(ACL_FLOAT16, {0, 24});
  const OpTensor y(ACL_FLOAT16, {0, 16});
  const OpTensor a(ACL_FLOAT16, {2, 1, 8, 24});
  const OpTensor b(ACL_FLOAT16, {2, 1, 16, 8});
  const OpTensor indices(ACL_INT32, {0});
  run(
      [&](auto* n, auto** e) {
        return aclnnAddLoraGetWorkspaceSize(y.get(), x.get(), b.get(), indices.get(), a.get(), 0, 1, 0, 16, y.get(), n,
                                            e);
      },
      aclnnAddLora, {&x, &a, &b, &indices}, y);
  const OpTensor nothing(ACL_FLOAT16, {16, 0});
  enqueue([&](auto* n,
              auto** e) { return aclnnTransMatmulWeightGetWorkspaceSize(const_cast<aclTensor*>(nothing.get()), n, e); },
          aclnnTransMatmulWeight);
  EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
}

}  // namespace
}  // namespace aclvk::test
