// Launches of programs' kernels (docs/custom-kernels.md).
#include <algorithm>
#include <cstring>

#include "vk_device/commands/recorder.hpp"
#include "vk_device/pipelines/vulkan_kernel.hpp"

namespace aclvk::vk {
namespace {

constexpr std::uint64_t kAddressBytes = 8;

// The alignment of blocks in memory, so that data placed in the block by offset keeps its alignment. Vulkan allows no
// larger minStorageBufferOffsetAlignment.
constexpr std::uint64_t kMaxAlignment = 256;

AccessedBytes accessed(const BufferRange& range, Access access) {
  return {{range.address(), range.address() + range.size}, access};
}

constexpr AccessedBytes kAllMemory{{0, UINT64_MAX}, Access::kReadWrite};

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

void Recorder::dispatch_custom(const Dispatch& dispatch, const Pipeline& pipeline) {
  const CustomLaunch& launch = *dispatch.custom;
  retain(dispatch.custom);
  write_custom_block(dispatch, pipeline);
  if (launch.accesses_all_memory) scratch_->accesses.push_back(kAllMemory);
  synchronize(scratch_->accesses.data(), scratch_->accesses.size());
  bind_custom(pipeline);
  const auto& groups = dispatch.groups;
  if (launch.base_group == 0) {
    commands_.dispatch(groups[0], groups[1], groups[2], functions_);
  } else {
    commands_.dispatchBase(launch.base_group, 0, 0, groups[0], groups[1], groups[2], functions_);
  }
  ++contents_.commands;
}

// Writes the push constants to scratch_->block and the descriptors to scratch_->descriptors.
void Recorder::write_custom_block(const Dispatch& dispatch, const Pipeline& pipeline) {
  const CustomLaunch& launch = *dispatch.custom;
  const KernelInterface& interface = launch.kernel->interface();
  bind_buffers(dispatch, resolved_block(dispatch));
  // The slots of the storage buffers have become descriptors; the module declares only the rest as push constants.
  scratch_->block.erase(scratch_->block.begin(), scratch_->block.begin() + interface.slot_bytes());
  scratch_->block.resize(round_up(interface.block_bytes, 4));
  if (!pipeline.block_in_memory) return;
  BufferRange memory;
  if (launch.device_block.buffer) {
    memory = aligned_block(launch.device_block, interface.block_bytes);
  } else {
    const std::uint64_t alignment = contents_.store->gpu().limits().storage_buffer_alignment;
    memory = contents_.resources->arguments.allocate(scratch_->block.size(), alignment);
    std::memcpy(memory.mapped(), scratch_->block.data(), scratch_->block.size());
  }
  scratch_->descriptors.emplace_back(handle_of(memory), memory.offset, memory.size);
  scratch_->block.clear();
}

// Writes the whole block with its addresses to scratch_->block. Returns a copy in memory when the block contains
// pointers to itself, else an empty range.
BufferRange Recorder::resolved_block(const Dispatch& dispatch) {
  const CustomLaunch& launch = *dispatch.custom;
  auto& block = scratch_->block;
  block.assign(dispatch.arguments.begin(), dispatch.arguments.end());
  block.resize(std::max<std::size_t>(block.size(), round_up(launch.kernel->interface().argument_bytes(), 4)));
  for (const auto& [offset, value] : launch.addresses) std::memcpy(block.data() + offset, &value, kAddressBytes);
  if (launch.links.empty()) return {};
  BufferRange memory =
      contents_.resources->arguments.allocate(block.size(), std::max(kMaxAlignment, launch.kernel->buffer_alignment()));
  for (const auto& [offset, target] : launch.links) {
    const std::uint64_t address = memory.address() + target;
    std::memcpy(block.data() + offset, &address, kAddressBytes);
  }
  std::memcpy(memory.mapped(), block.data(), block.size());
  return memory;
}

// A storage buffer whose slot points into the block itself is bound to `linked`, the copy of the block in memory.
void Recorder::bind_buffers(const Dispatch& dispatch, const BufferRange& linked) {
  const CustomLaunch& launch = *dispatch.custom;
  scratch_->descriptors.clear();
  for (std::uint32_t i = 0; i < launch.kernel->interface().buffers; ++i) {
    BufferRange bound = dispatch.operands[i].range;
    for (const auto& [offset, target] : launch.links) {
      if (offset == i * kAddressBytes) bound = linked.slice(target, linked.size - target);
    }
    std::uint64_t unused = 0;
    if (!bound.buffer || bound.size == 0) {
      scratch_->descriptors.push_back(descriptor({}, unused));
      continue;
    }
    // The rest of the allocation may be longer than a descriptor can cover.
    const std::uint64_t bytes = std::min(bound.size, contents_.store->gpu().limits().max_storage_buffer_range);
    scratch_->descriptors.emplace_back(handle_of(bound), bound.offset, bytes);
  }
}

// Returns the block itself, or a copy made in stream order when its offset is not a valid descriptor offset.
BufferRange Recorder::aligned_block(const BufferRange& block, std::uint64_t bytes) {
  const std::uint64_t alignment = contents_.store->gpu().limits().storage_buffer_alignment;
  retain(block.buffer);
  const BufferRange needed = block.slice(0, bytes);
  if (block.offset % alignment == 0) {
    scratch_->accesses.push_back(accessed(needed, Access::kRead));
    return needed;
  }
  const BufferRange copy = contents_.resources->arguments.allocate(bytes, alignment);
  synchronize({accessed(needed, Access::kRead), accessed(copy, Access::kWrite)});
  copy_bytes(copy, needed);
  scratch_->accesses.push_back(accessed(copy, Access::kRead));
  return copy;
}

void Recorder::bind_custom(const Pipeline& pipeline) {
  const ::vk::PipelineLayout layout = *pipeline.layout->layout;
  if (bound_pipeline_ != &pipeline)
    commands_.bindPipeline(::vk::PipelineBindPoint::eCompute, *pipeline.handle, functions_);
  bound_pipeline_ = &pipeline;
  if (pipeline.layout->bindings > 0) {
    const ::vk::DescriptorSet set = contents_.resources->descriptors.allocate(*pipeline.layout, scratch_->descriptors);
    commands_.bindDescriptorSets(::vk::PipelineBindPoint::eCompute, layout, 0, 1, &set, 0, nullptr, functions_);
  }
  const auto bytes = static_cast<std::uint32_t>(scratch_->block.size());
  if (bytes > 0) {
    commands_.pushConstants(layout, ::vk::ShaderStageFlagBits::eCompute, 0, bytes, scratch_->block.data(), functions_);
  }
}

}  // namespace aclvk::vk
