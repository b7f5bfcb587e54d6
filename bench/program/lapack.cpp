#include "program/lapack.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace lapack {
namespace {

constexpr int kBlock = 64;  // block size in columns, for workspaces

void check(int info, const char* what) {
  if (info != 0) throw std::runtime_error(std::string(what) + " answers " + std::to_string(info));
}

std::vector<float> workspace(int n) { return std::vector<float>(static_cast<std::size_t>(n) * kBlock); }

/// Fortran's calling convention: all arguments by address, lengths of strings as last arguments.
class Loaded : public Library {
 public:
  explicit Loaded(void* library) : library_(library) {}

  void inverse(Matrix& a, int n) const override {
    std::vector<int> pivots = factored(a, n);
    std::vector<float> work = workspace(n);
    const int size = static_cast<int>(work.size());
    int info = 0;
    function<void(const int*, float*, const int*, const int*, float*, const int*, int*)>("sgetri_")(
        &n, a.data(), &n, pivots.data(), work.data(), &size, &info);
    check(info, "sgetri");
  }
  void factors(Matrix& a, int n) const override { factored(a, n); }
  void solve(const Matrix& a, Matrix& b, int n) const override {
    int info = 0;
    function<void(const char*, const char*, const char*, const int*, const int*, const float*, const int*, float*,
                  const int*, int*, std::size_t, std::size_t, std::size_t)>("strtrs_")(
        "L", "N", "N", &n, &n, a.data(), &n, b.data(), &n, &info, 1, 1, 1);
    check(info, "strtrs");
  }
  void qr(Matrix& a, int n) const override {
    std::vector<float> tau(static_cast<std::size_t>(n));
    std::vector<float> work = workspace(n);
    const int size = static_cast<int>(work.size());
    int info = 0;
    function<void(const int*, const int*, float*, const int*, float*, float*, const int*, int*)>("sgeqrf_")(
        &n, &n, a.data(), &n, tau.data(), work.data(), &size, &info);
    check(info, "sgeqrf");
    function<void(const int*, const int*, const int*, float*, const int*, const float*, float*, const int*, int*)>(
        "sorgqr_")(&n, &n, &n, a.data(), &n, tau.data(), work.data(), &size, &info);
    check(info, "sorgqr");
  }
  void cholesky(Matrix& a, int n) const override {
    int info = 0;
    function<void(const char*, const int*, float*, const int*, int*, std::size_t)>("spotrf_")("L", &n, a.data(), &n,
                                                                                              &info, 1);
    check(info, "spotrf");
  }
  // Divide and conquer (sgesdd), which is faster than QR iteration (sgesvd) for large matrices.
  void svd(Matrix& a, int n, bool vectors) const override {
    const auto count = static_cast<std::size_t>(n);
    std::vector<float> values(count);
    std::vector<float> u(vectors ? count * count : 1);
    std::vector<float> v(u.size());
    std::vector<int> integers(8 * count);
    std::vector<float> work(1);
    int size = -1;  // the first call queries the workspace
    int info = 0;
    const auto call = function<void(const char*, const int*, const int*, float*, const int*, float*, float*, const int*,
                                    float*, const int*, float*, const int*, int*, int*, std::size_t)>("sgesdd_");
    for (int round = 0; round < 2; ++round) {
      call(vectors ? "S" : "N", &n, &n, a.data(), &n, values.data(), u.data(), &n, v.data(), &n, work.data(), &size,
           integers.data(), &info, 1);
      check(info, "sgesdd");
      if (round > 0) break;
      size = static_cast<int>(work[0]);
      work.resize(static_cast<std::size_t>(size));
    }
  }

 private:
  std::vector<int> factored(Matrix& a, int n) const {
    std::vector<int> pivots(static_cast<std::size_t>(n));
    int info = 0;
    function<void(const int*, const int*, float*, const int*, int*, int*)>("sgetrf_")(&n, &n, a.data(), &n,
                                                                                      pivots.data(), &info);
    check(info, "sgetrf");
    return pivots;
  }

  template <typename Function>
  Function* function(const char* name) const {
    void* symbol = dlsym(library_, name);
    if (!symbol) throw std::runtime_error(std::string("liblapack.so.3 has no ") + name);
    return reinterpret_cast<Function*>(symbol);
  }

  void* library_;  // never unloaded
};

}  // namespace

// Alternatives of Debian (the reference, OpenBLAS, ATLAS) install this name, so the report depends on the one that is
// chosen.
std::unique_ptr<const Library> find() {
  void* library = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
  return library ? std::make_unique<const Loaded>(library) : nullptr;
}

}  // namespace lapack
