#include "runtime/device/board.hpp"

#include <algorithm>

#include "base/config.hpp"

namespace aclvk::runtime {
namespace {

// Peers are bits of a word.
constexpr long kMostDevices = 64;

}  // namespace

Board::Board(std::size_t place, std::size_t devices) : gpu(vk::Device::open(place)) {
  if (devices == 1) {
    books.emplace_back(gpu, &gpu->memory());
    return;
  }
  const std::uint64_t share = gpu->memory().total_bytes() / devices;
  for (std::size_t i = 0; i < devices; ++i) books.push_back(gpu->create_memory(share));
}

std::size_t devices_per_gpu() {
  return static_cast<std::size_t>(std::clamp(config().devices_per_gpu, 1L, kMostDevices));
}

}  // namespace aclvk::runtime
