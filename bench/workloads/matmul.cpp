// Matrix products against hand-written kernels for contiguous matrices.
#include <algorithm>

#include "aclnnop/aclnn_mm.h"
#include "program/objects.hpp"
#include "workloads/memory_bound.hpp"

namespace bench {
namespace {

/// A product of an m x k and a k x n matrix; the second one is contiguous or the transposed view of an n x k matrix.
struct Workload {
  raw::Product sizes;
  bool transposed;
  aclDataType type;
};

constexpr Workload kWorkloads[] = {
    {{64, 64, 64}, false, ACL_FLOAT},       {{128, 128, 128}, false, ACL_FLOAT},
    {{256, 256, 256}, false, ACL_FLOAT},    {{512, 512, 512}, false, ACL_FLOAT},
    {{512, 512, 512}, true, ACL_FLOAT},     {{512, 512, 512}, false, ACL_FLOAT16},
    {{16, 2048, 2048}, false, ACL_FLOAT},   {{2048, 16, 2048}, false, ACL_FLOAT},
    {{1024, 1024, 1024}, false, ACL_FLOAT}, {{2048, 2048, 2048}, false, ACL_FLOAT},
};

/// A pass repeats a small product, as programs do that launch without waiting; otherwise it would measure the overhead
/// of a submission.
constexpr std::size_t kOperationsOfPass = std::size_t{64} * 1024 * 1024;
constexpr std::size_t kOperationsOfQuickRun = std::size_t{2} * 1024 * 1024 * 1024;

std::size_t operations_of(const raw::Product& sizes) { return std::size_t{2} * sizes.m * sizes.n * sizes.k; }

/// Returns the sizes in the usual order: m x k x n.
std::string text_of(const raw::Product& sizes) {
  return std::to_string(sizes.m) + " x " + std::to_string(sizes.k) + " x " + std::to_string(sizes.n);
}

/// Skips the naive kernels for large products: they take seconds on CPU drivers and are never the fastest.
std::string shaders_for(const Workload& workload) {
  const std::string layout = workload.type == ACL_FLOAT16 ? "half" : workload.transposed ? "transposed" : "float";
  const bool large = operations_of(workload.sizes) > operations_of({512, 512, 512});
  return "matmul_" + layout + (large ? "_shared" : "");
}

void measure(const Context& context, const Workload& workload) {
  const raw::Product& sizes = workload.sizes;
  const acl::Tensor first({sizes.m, sizes.k}, 0.75F, workload.type);
  const acl::Tensor second(
      workload.transposed ? acl::Tensor::Shape{sizes.n, sizes.k} : acl::Tensor::Shape{sizes.k, sizes.n}, 0.5F,
      workload.type);
  const acl::Transposed transposed(second);
  const acl::Tensor out({sizes.m, sizes.n}, 0, workload.type);
  const std::size_t times = std::max<std::size_t>(1, kOperationsOfPass / operations_of(sizes));
  const acl::Operator measured(
      [&](std::uint64_t* bytes, aclOpExecutor** executor) {
        return aclnnMmGetWorkspaceSize(first.get(), workload.transposed ? transposed.get() : second.get(), out.get(), 0,
                                       bytes, executor);
      },
      aclnnMm, times);
  const std::size_t element = aclDataTypeSize(workload.type);
  Floor floor{shaders_for(workload),
              {element * sizes.m * sizes.k, element * sizes.k * sizes.n, element * sizes.m * sizes.n}};
  floor.product = sizes;
  floor.products = times;
  Group group{"matmul", text_of(sizes), element * sizes.m * sizes.k, times, 1, 0, {}};
  group.operations = operations_of(sizes);
  const std::string type = workload.type == ACL_FLOAT16 ? "float16" : "float32";
  compare_with_floor(context, std::move(group), floor, "aclnnMm " + type + (workload.transposed ? ", transposed" : ""),
                     measured);
}

}  // namespace

void measure_matmul(const Context& context) {
  if (!context.wants("matmul")) return;
  for (const Workload& workload : kWorkloads) {
    if (!context.options.quick || operations_of(workload.sizes) <= kOperationsOfQuickRun) measure(context, workload);
  }
}

}  // namespace bench
