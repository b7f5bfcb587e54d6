// A matrix-vector product reads the matrix once. It is compared with a copy of as many bytes.
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mv.h"
#include "program/objects.hpp"
#include "workloads/memory_bound.hpp"

namespace bench {
namespace {

constexpr std::int64_t kSize = 4096;

struct Operands {
  acl::Tensor matrix{{kSize, kSize}, 0.75F};
  acl::Transposed transposed{matrix};
  acl::Tensor vector{kSize, 0.5F};
  acl::Tensor row{{1, kSize}, 0.5F};
  acl::Tensor out{kSize, 0};
  acl::Tensor row_out{{1, kSize}, 0};
};

void measure(const Context& context, const std::string& name, const acl::Plan& plan, acl::Run run) {
  const acl::Operator measured(plan, run);
  const std::size_t bytes = kSize * kSize * sizeof(float);
  Group group{"matvec", "4096 x 4096", bytes, 1, 1, 0, {}};
  group.bytes_moved = bytes + 2 * kSize * sizeof(float);
  const Floor floor = copy_moving(group.bytes_moved);
  compare_with_floor(context, std::move(group), floor, name, measured);
}

}  // namespace

void measure_matvec(const Context& context) {
  if (!context.wants("matvec")) return;
  const Operands operands;
  for (const bool transposed : {false, true}) {
    aclTensor* matrix = transposed ? operands.transposed.get() : operands.matrix.get();
    const std::string name = std::string(" float32") + (transposed ? ", transposed" : "");
    measure(
        context, "aclnnMv" + name,
        [&](std::uint64_t* bytes, aclOpExecutor** executor) {
          return aclnnMvGetWorkspaceSize(matrix, operands.vector.get(), operands.out.get(), 0, bytes, executor);
        },
        aclnnMv);
    measure(
        context, "aclnnMm of one row" + name,
        [&](std::uint64_t* bytes, aclOpExecutor** executor) {
          return aclnnMmGetWorkspaceSize(operands.row.get(), matrix, operands.row_out.get(), 0, bytes, executor);
        },
        aclnnMm);
  }
}

}  // namespace bench
