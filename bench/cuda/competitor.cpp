// The competitors of aclvk-bench-cuda; harness/no_competitors.cpp is their counterpart.
#include <cstring>
#include <stdexcept>

#include "cuda/chain.hpp"

namespace cuda {
namespace {

std::string version(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }

class Competitor : public bench::Competitor {
 public:
  explicit Competitor(const char* device) : device_(device) {}

  std::string name() const override { return "CUDA"; }

  std::string description() const override {
    int runtime = 0;
    int driver = 0;
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    return "CUDA " + version(runtime) + " (driver for " + version(driver) + ") on " + device_;
  }

  std::unique_ptr<bench::CompetitorChain> create_chain(std::size_t tasks, std::size_t width,
                                                       std::size_t elements) const override {
    return std::make_unique<Chain>(tasks, width, elements);
  }

 private:
  std::string device_;
};

}  // namespace
}  // namespace cuda

namespace bench {
namespace {

bool is_same(const aclvkDeviceInfo& device, const cudaDeviceProp& properties) {
  return std::memcmp(device.uuid, properties.uuid.bytes, sizeof(device.uuid)) == 0;
}

}  // namespace

// Ratios are meaningful on the same GPU only. Vulkan and CUDA report the same UUID for a device.
Competitors find_competitors(const aclvkDeviceInfo& wanted) {
  int count = 0;
  CUDA_CHECK(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    if (!is_same(wanted, properties)) continue;
    CUDA_CHECK(cudaSetDevice(device));
    Competitors competitors;
    competitors.push_back(std::make_unique<cuda::Competitor>(properties.name));
    return competitors;
  }
  throw std::runtime_error(std::string("CUDA shows no device with the UUID of ") + wanted.name +
                           ", which the library takes (devices shown: " + std::to_string(count) + ").");
}

}  // namespace bench
