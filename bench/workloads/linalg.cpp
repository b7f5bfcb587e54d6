// Decompositions of square float32 matrices against LAPACK on the same machine.
#include <cmath>
#include <functional>
#include <random>

#include "aclnnop/aclnn_inverse.h"
#include "aclnnop/aclnn_linalg_cholesky.h"
#include "aclnnop/aclnn_qr.h"
#include "aclnnop/aclnn_slogdet.h"
#include "aclnnop/aclnn_svd.h"
#include "aclnnop/aclnn_triangular_solve.h"
#include "harness/context.hpp"
#include "program/lapack.hpp"

namespace bench {
namespace {

using lapack::Matrix;

/// Returns a random symmetric matrix that is positive definite and well conditioned, so that all operators accept it.
/// With entries of variance 1 its eigenvalues are within 2 sqrt(n) of 0 (Wigner's semicircle law); 3 sqrt(n) on the
/// diagonal shifts them to sqrt(n) and above.
Matrix random_matrix(std::int64_t n) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  const auto count = static_cast<std::size_t>(n);
  Matrix matrix(count * count);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      matrix[row * count + column] = matrix[column * count + row] = normal(random);
    }
    matrix[row * count + row] += 3 * std::sqrt(static_cast<float>(n));
  }
  return matrix;
}

/// The operands of all operators for one size.
struct Operands {
  explicit Operands(std::int64_t n)
      : values(random_matrix(n)),
        matrix({n, n}, 0),
        other({n, n}, 1),
        first({n, n}, 0),
        second({n, n}, 0),
        diagonal(acl::Tensor::Shape{n}, 0),
        sign(acl::Tensor::Shape{}, 0),
        logarithm(acl::Tensor::Shape{}, 0) {
    const std::size_t bytes = values.size() * sizeof(float);
    ACL_CHECK(aclrtMemcpy(matrix.memory(), bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  }

  Matrix values;
  acl::Tensor matrix;
  acl::Tensor other;
  acl::Tensor first;
  acl::Tensor second;
  acl::Tensor diagonal;
  acl::Tensor sign;
  acl::Tensor logarithm;
};

struct Workload {
  const char* name;
  std::function<aclnnStatus(const Operands&, std::uint64_t*, aclOpExecutor**)> plan;
  acl::Run run;
  std::function<void(const lapack::Library&, Matrix&, int)> reference;
};

std::vector<Workload> workloads() {
  return {
      {"aclnnInverse",
       [](const Operands& o, auto* n, auto** e) {
         return aclnnInverseGetWorkspaceSize(o.matrix.get(), o.first.get(), n, e);
       },
       aclnnInverse, [](const lapack::Library& library, Matrix& a, int n) { library.inverse(a, n); }},
      {"aclnnSlogdet",
       [](const Operands& o, auto* n, auto** e) {
         return aclnnSlogdetGetWorkspaceSize(o.matrix.get(), o.sign.get(), o.logarithm.get(), n, e);
       },
       aclnnSlogdet, [](const lapack::Library& library, Matrix& a, int n) { library.factors(a, n); }},
      {"aclnnTriangularSolve",
       [](const Operands& o, auto* n, auto** e) {
         return aclnnTriangularSolveGetWorkspaceSize(o.other.get(), o.matrix.get(), false, false, false, o.first.get(),
                                                     o.second.get(), n, e);
       },
       aclnnTriangularSolve,
       [](const lapack::Library& library, Matrix& a, int n) {
         Matrix b(a.size(), 1);
         library.solve(a, b, n);
       }},
      {"aclnnLinalgCholesky",
       [](const Operands& o, auto* n, auto** e) {
         return aclnnLinalgCholeskyGetWorkspaceSize(o.matrix.get(), false, o.first.get(), n, e);
       },
       aclnnLinalgCholesky, [](const lapack::Library& library, Matrix& a, int n) { library.cholesky(a, n); }},
      {"aclnnQr",
       [](const Operands& o, auto* n, auto** e) {
         return aclnnQrGetWorkspaceSize(o.matrix.get(), true, o.first.get(), o.second.get(), n, e);
       },
       aclnnQr, [](const lapack::Library& library, Matrix& a, int n) { library.qr(a, n); }},
      {"aclnnSvd without vectors",
       [](const Operands& o, auto* n, auto** e) {
         return aclnnSvdGetWorkspaceSize(o.matrix.get(), false, false, o.diagonal.get(), nullptr, nullptr, n, e);
       },
       aclnnSvd, [](const lapack::Library& library, Matrix& a, int n) { library.svd(a, n, false); }},
      {"aclnnSvd",
       [](const Operands& o, auto* n, auto** e) {
         return aclnnSvdGetWorkspaceSize(o.matrix.get(), false, true, o.diagonal.get(), o.first.get(), o.second.get(),
                                         n, e);
       },
       aclnnSvd, [](const lapack::Library& library, Matrix& a, int n) { library.svd(a, n, true); }},
  };
}

template <typename Work>
Pass timed(const Work& work) {
  const auto start = Clock::now();
  work();
  const double time = microseconds_since(start);
  return {time, time};  // `work` returns when it has finished, so the host's time is the total
}

void measure(const Context& context, const Workload& workload, const Operands& operands, std::int64_t n,
             const lapack::Library* library) {
  const acl::Operator measured(
      [&](std::uint64_t* bytes, aclOpExecutor** executor) { return workload.plan(operands, bytes, executor); },
      workload.run);
  const auto replay = [&] {
    return timed([&] {
      measured.replay();
      measured.wait();
    });
  };
  replay();  // the first run compiles the kernels
  if (replay().total > 1e6 * context.options.pass_seconds) return;
  std::vector<Contender> contenders;
  const std::string reference = std::string("LAPACK, ") + workload.name;
  if (library) {
    contenders.push_back({reference, "", [&] {
                            Matrix matrix = operands.values;
                            return timed([&] { workload.reference(*library, matrix, static_cast<int>(n)); });
                          }});
  }
  contenders.push_back({workload.name, library ? reference : "", replay});
  const std::size_t bytes = operands.values.size() * sizeof(float);
  Group group{"linalg", std::to_string(n) + " x " + std::to_string(n), bytes, 1, 1, 0, {}};
  group.rows = compare(contenders, context.effort());
  context.report.groups.push_back(std::move(group));
}

}  // namespace

void measure_linalg(const Context& context) {
  if (!context.wants("linalg")) return;
  const auto library = lapack::find();
  if (!library) context.announce("linear algebra (there is no liblapack.so.3 to compare with)");
  for (const std::int64_t n : {200, 500, 1000, 2000}) {
    if (context.options.quick && n > 200) break;
    const Operands operands(n);
    for (const Workload& workload : workloads()) {
      context.announce(std::string(workload.name) + ", " + std::to_string(n) + " x " + std::to_string(n));
      measure(context, workload, operands, n, library.get());
    }
  }
}

}  // namespace bench
