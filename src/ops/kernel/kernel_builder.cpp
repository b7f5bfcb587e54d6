#include "ops/kernel/kernel_builder.hpp"

#include <utility>

#include "base/error.hpp"

namespace aclvk::ops {
namespace {

constexpr std::size_t kPushBytes = 128;  // of push constants, the least that Vulkan guarantees

}  // namespace

void KernelBuilder::add_operand(const runtime::Operand& operand) {
  check(operand.bytes <= kMaxOperandBytes, Code::kFeatureNotSupported,
        "a tensor of {} spans {} bytes; up to {} are supported.", kernel_.name, operand.bytes, kMaxOperandBytes);
  kernel_.operands.push_back(operand);
}

void KernelBuilder::add_dims(const Shape& sizes, const std::vector<Shape>& strides) {
  const std::size_t fixed = words_.size();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    add_word(sizes[i]);
    // The stride of one element is never used, so it may have any value.
    for (const Shape& steps : strides) add_word(sizes[i] == 1 && steps[i] > kMaxUnusedStride ? 0 : steps[i]);
  }
  const std::size_t block = kernel_.operands.size() * kSlotBytes + words_.size() * sizeof(std::uint32_t);
  if (block > kPushBytes) words_.resize(fixed + kMaxRank * (1 + strides.size()));
}

void KernelBuilder::set_threads(std::uint64_t threads, std::uint64_t local_size, std::uint32_t layers) {
  check(threads <= kMaxThreads, Code::kFeatureNotSupported,
        "{} would take {} threads; up to {} are supported. Its operands have too many elements.", kernel_.name, threads,
        kMaxThreads);
  kernel_.groups = row_of_groups(threads, local_size);
  kernel_.groups[2] *= layers;
}

runtime::Kernel KernelBuilder::build() {
  const auto* bytes = reinterpret_cast<const std::byte*>(words_.data());
  kernel_.arguments.append(bytes, bytes + words_.size() * sizeof(std::uint32_t));
  return std::move(kernel_);
}

}  // namespace aclvk::ops
