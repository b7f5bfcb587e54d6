#include "ops/kernel/kernel_builder.hpp"

#include <utility>

namespace aclvk::ops {
namespace {

constexpr std::size_t kPushBytes = 128;  // of push constants, the least that Vulkan guarantees

}  // namespace

void KernelBuilder::add_dims(const Shape& sizes, const std::vector<Shape>& strides) {
  const std::size_t fixed = words_.size();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    add_word(sizes[i]);
    for (const Shape& steps : strides) add_word(steps[i]);
  }
  const std::size_t block = kernel_.operands.size() * kSlotBytes + words_.size() * sizeof(std::uint32_t);
  if (block > kPushBytes) words_.resize(fixed + kMaxRank * (1 + strides.size()));
}

runtime::Kernel KernelBuilder::build() {
  const auto* bytes = reinterpret_cast<const std::byte*>(words_.data());
  kernel_.arguments.append(bytes, bytes + words_.size() * sizeof(std::uint32_t));
  return std::move(kernel_);
}

}  // namespace aclvk::ops
