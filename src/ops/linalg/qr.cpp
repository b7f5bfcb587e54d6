#include "ops/linalg/qr.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/linalg/matrices.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {
namespace {

struct Sizes {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t steps = 0;   ///< reflections
  std::int64_t shared = 0;  ///< columns of Q, rows of R
};

Sizes sizes_of(const Tensor& self, QrMode mode) {
  Sizes sizes{rows_of(self), columns_of(self)};
  sizes.steps = std::min(sizes.rows, sizes.columns);
  sizes.shared = mode == QrMode::kComplete ? sizes.rows : sizes.steps;
  return sizes;
}

Shape shape_of(const Tensor& self, std::int64_t rows, std::int64_t columns) {
  Shape shape = batch_of(self);
  shape.push_back(rows);
  shape.push_back(columns);
  return shape;
}

class Decomposition {
 public:
  Decomposition(const char* name, Staging& staging, const Tensor& self, Sizes sizes)
      : name_(name), staging_(staging), sizes_(sizes), dtype_(computed_in(self.dtype)) {
    work_ = copy_matrices(name, staging, self, dtype_, kernels_);
    reflections_ = make_matrices(staging, work_.shape[0], sizes.steps, 3, dtype_);
    if (sizes_.steps > 0) run(ACLVK_CLASS_SHADERS("linalg/qr"), {&work_, &reflections_}, sizes_.steps, 0);
  }

  void put_q(const Tensor& to) {
    const Tensor q = make_matrices(staging_, work_.shape[0], sizes_.rows, sizes_.shared, dtype_);
    if (!to.empty()) {
      run(ACLVK_CLASS_SHADERS("linalg/qr_q"), {&work_, &reflections_, &q}, sizes_.shared, sizes_.shared);
    }
    put_matrices(name_, to, q, kernels_);
  }
  void put_r(const Tensor& to) {
    const Tensor r = make_matrices(staging_, work_.shape[0], sizes_.shared, sizes_.columns, dtype_);
    if (!to.empty()) {
      run(ACLVK_CLASS_SHADERS("linalg/qr_r"), {&work_, &reflections_, &r}, sizes_.shared,
          sizes_.shared * sizes_.columns);
    }
    put_matrices(name_, to, r, kernels_);
  }
  Kernels take() { return std::move(kernels_); }

 private:
  void run(const ClassShaders& shaders, std::vector<const Tensor*> operands, std::int64_t width, std::int64_t threads) {
    MatrixCall call{name_, shaders, dtype_, work_.shape[0]};
    call.rows = sizes_.rows;
    call.columns = sizes_.columns;
    call.width = width;
    call.threads = threads;
    call.operands = std::move(operands);
    append(kernels_, matrix_kernels(call));
  }

  const char* name_;
  Staging& staging_;
  Sizes sizes_;
  DType dtype_;
  Tensor work_;
  Tensor reflections_;
  Kernels kernels_;
};

}  // namespace

std::shared_ptr<Executor> plan_qr(const char* name, QrMode mode, const void* self_handle, const void* q_handle,
                                  const void* r_handle) {
  TensorParameters tensors;
  const auto self = tensors.input(self_handle, "self");
  const auto q = tensors.output(q_handle, "Q");
  const auto r = tensors.output(r_handle, "R");
  tensors.check_dtypes(dtypes_of(name));
  check_castable(tensors[self].dtype, tensors[q].dtype, "the result", "Q");
  check_castable(tensors[self].dtype, tensors[r].dtype, "the result", "R");
  tensors.check_views();
  check_matrices(tensors, self);
  check(mode >= QrMode::kReduced && mode <= QrMode::kOnlyR, Code::kNnInvalid,
        "mode is {}; 0 (reduced), 1 (complete) and 2 (only R) are expected.", static_cast<std::int64_t>(mode));
  const Sizes sizes = sizes_of(tensors[self], mode);
  if (mode != QrMode::kOnlyR) {
    tensors.check_shape(q, shape_of(tensors[self], sizes.rows, sizes.shared), "the result has shape");
  }
  tensors.check_shape(r, shape_of(tensors[self], sizes.shared, sizes.columns), "the result has shape");
  return staged_executor(name, tensors, [=](const TensorParameters::Now& now, Staging& staging) {
    Decomposition decomposition(name, staging, *now[self], sizes);
    if (mode != QrMode::kOnlyR) decomposition.put_q(*now[q]);
    decomposition.put_r(*now[r]);
    return decomposition.take();
  });
}

}  // namespace aclvk::ops
