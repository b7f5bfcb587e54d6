// Operators along the last axis of a matrix, against a copy of as many bytes.
#include "aclnnop/aclnn_amax.h"
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_var.h"
#include "program/objects.hpp"
#include "workloads/memory_bound.hpp"

namespace bench {
namespace {

constexpr std::int64_t kRows = 8192;
constexpr std::int64_t kColumns = 1024;

/// The operands: a matrix, a second one of the same shape, an element per row, and a factor per column.
struct Matrix {
  explicit Matrix(aclDataType dtype)
      : type(dtype),
        x({kRows, kColumns}, 0.75F, dtype),
        out({kRows, kColumns}, 0, dtype),
        row(kRows, 0, dtype),
        mean({kRows, 1}, 0),
        deviation({kRows, 1}, 0),
        index(kRows, 0, ACL_INT64),
        gamma(kColumns, 1.25F, dtype),
        beta(kColumns, 0.5F, dtype) {}

  aclDataType type;
  acl::Tensor x;
  acl::Tensor out;
  acl::Tensor row;
  acl::Tensor mean;
  acl::Tensor deviation;
  acl::Tensor index;
  acl::Tensor gamma;
  acl::Tensor beta;
  acl::Ints last{{-1}};
  acl::Ints width{{kColumns}};
};

struct Workload {
  const char* name;
  bool reduces;  ///< a row is reduced to one element
  aclnnStatus (*plan)(const Matrix&, std::uint64_t*, aclOpExecutor**);
  acl::Run run;
};

#define OPERATOR(name, reduces, ...)                                                     \
  {                                                                                      \
    "aclnn" #name, reduces,                                                              \
        [](const Matrix& m, std::uint64_t* bytes, aclOpExecutor** executor) {            \
          return aclnn##name##GetWorkspaceSize(m.x.get(), __VA_ARGS__, bytes, executor); \
        },                                                                               \
        aclnn##name                                                                      \
  }
constexpr Workload kWorkloads[] = {
    OPERATOR(ReduceSum, true, m.last.get(), false, m.type, m.row.get()),
    OPERATOR(Amax, true, m.last.get(), false, m.row.get()),
    OPERATOR(ArgMax, true, -1, false, m.index.get()),
    OPERATOR(Var, true, m.last.get(), true, false, m.row.get()),
    OPERATOR(Softmax, false, -1, m.out.get()),
    OPERATOR(LogSoftmax, false, -1, m.out.get()),
    OPERATOR(LayerNorm, false, m.width.get(), m.gamma.get(), m.beta.get(), 1e-5, m.out.get(), nullptr, nullptr),
    OPERATOR(RmsNorm, false, m.gamma.get(), 1e-6, m.out.get(), m.deviation.get()),
    OPERATOR(Cumsum, false, -1, m.type, m.out.get()),
};
#undef OPERATOR

void measure(const Context& context, const Workload& workload, const Matrix& matrix, const char* type) {
  const acl::Operator measured(
      [&](std::uint64_t* bytes, aclOpExecutor** executor) { return workload.plan(matrix, bytes, executor); },
      workload.run);
  const std::size_t bytes = kRows * kColumns * aclDataTypeSize(matrix.type);
  Group group{"rows", "8192 rows of 1024", bytes, 1, 1, 0, {}};
  group.bytes_moved = workload.reduces ? bytes : 2 * bytes;
  const Floor floor = copy_moving(group.bytes_moved);
  compare_with_floor(context, std::move(group), floor, std::string(workload.name) + " " + type, measured);
}

}  // namespace

void measure_rows(const Context& context) {
  if (!context.wants("rows")) return;
  const Matrix single(ACL_FLOAT);
  for (const Workload& workload : kWorkloads) measure(context, workload, single, "float32");
  const Matrix half(ACL_FLOAT16);
  for (const Workload& workload : kWorkloads) measure(context, workload, half, "float16");
}

}  // namespace bench
