#include "raw/chain.hpp"

#include <array>
#include <cstring>
#include <stdexcept>

#include "ops/elementwise/tables.hpp"
#include "ops/kernel/strided.hpp"
#include "vk_device/modules/shader_store.hpp"

namespace raw {
namespace {

using aclvk::ops::BinaryOp;
using aclvk::runtime::Access;
using aclvk::runtime::Kernel;

constexpr auto kWorkStages = vk::PipelineStageFlagBits2::eComputeShader;
const vk::MemoryBarrier2 kBarrier(kWorkStages, vk::AccessFlagBits2::eShaderWrite, kWorkStages,
                                  vk::AccessFlagBits2::eShaderRead | vk::AccessFlagBits2::eShaderWrite);

/// The kernel that the library launches for aclnnInplaceAdd(x, y, 1). It comes from the library's own code, so that the
/// floor dispatches the same kernel after every change of the library.
Kernel add_kernel(const Buffer& x, const Buffer& y, std::size_t elements) {
  const auto tensor = [&](const Buffer& buffer) {
    const auto size = static_cast<std::int64_t>(elements);
    return aclvk::ops::Tensor{
        {size}, {1}, 0, {size}, aclvk::ops::DType::kFloat, 2, reinterpret_cast<void*>(buffer.address())};
  };
  const aclvk::ops::Tensor self = tensor(x);
  const aclvk::ops::Tensor other = tensor(y);
  aclvk::ops::StridedCall call;
  call.name = "aclnnInplaceAdd";
  call.shader = "elementwise/binary_f32";
  call.operands = {{&self, Access::kRead, false}, {&other, Access::kRead, false}, {&self, Access::kWrite, false}};
  call.constants = {static_cast<std::uint32_t>(self.dtype), static_cast<std::uint32_t>(BinaryOp::kAdd)};
  call.arguments.resize(8);
  const float alpha = 1;
  std::memcpy(call.arguments.data(), &alpha, sizeof(alpha));
  return aclvk::ops::strided_kernels(call).front();
}

vk::raii::CommandPool create_pool(const Device& device) {
  return {device.get(), vk::CommandPoolCreateInfo({}, device.family())};
}

vk::raii::CommandBuffer create_buffer(const Device& device, const vk::raii::CommandPool& pool) {
  const vk::CommandBufferAllocateInfo info(*pool, vk::CommandBufferLevel::ePrimary, 1);
  return std::move(vk::raii::CommandBuffers(device.get(), info).front());
}

}  // namespace

Chain::Chain(Device& device, std::size_t tasks, std::size_t width, std::size_t elements) : device_(device) {
  for (std::size_t i = 0; i < width; ++i) {
    x_.emplace_back(device, elements * sizeof(float), 1.0F);
    y_.emplace_back(device, elements * sizeof(float), 0.5F);
  }
  create_pipeline(elements);
  create_sets(tasks);
  replay_pool_ = create_pool(device);
  recording_pool_ = create_pool(device);
  prerecorded_ = create_buffer(device, replay_pool_);
  recorded_ = create_buffer(device, recording_pool_);
  record(prerecorded_, 0, tasks);
}

// The shader's argument block: an 8-byte slot for each operand, with the offset in its binding, which is 0 here,
// followed by the arguments (vk_device/modules/embedded_shaders.hpp).
void Chain::create_pipeline(std::size_t elements) {
  const Kernel kernel = add_kernel(x_.front(), y_.front(), elements);
  push_.resize(kernel.operands.size() * 8);
  push_.insert(push_.end(), kernel.arguments.begin(), kernel.arguments.end());
  if (push_.size() > 128) throw std::logic_error("The arguments of Add do not fit into push constants.");
  groups_ = kernel.groups;
  // The module variant that the library uses on this device: 64-bit words on lavapipe (vk_device/gpu/quirks.def).
  const aclvk::vk::EmbeddedShader& shader = *aclvk::vk::find_shader(kernel.shader);
  const auto words = aclvk::vk::unpack(shader, device_.is_lavapipe() && shader.word_counts[4] > 0 ? 4 : 0);
  const std::vector<std::uint32_t> constants(kernel.constants.begin(), kernel.constants.end());
  pipeline_.emplace_back(device_, words.data(), words.size(), constants,
                         static_cast<std::uint32_t>(kernel.operands.size()));
}

// A set for each task, as the simplest program has it; the library shares the sets of equal buffers
// (docs/performance.md).
void Chain::create_sets(std::size_t tasks) {
  const auto count = static_cast<std::uint32_t>(tasks);
  const vk::DescriptorPoolSize size(vk::DescriptorType::eStorageBuffer, count * 3);
  descriptors_ = vk::raii::DescriptorPool(device_.get(), vk::DescriptorPoolCreateInfo({}, count, size));
  const std::vector<vk::DescriptorSetLayout> layouts(tasks, pipeline_.front().set_layout());
  sets_ = (*device_.get()).allocateDescriptorSets({*descriptors_, layouts}, device_.functions());
  for (std::size_t task = 0; task < tasks; ++task) {
    const Buffer& x = x_[task % x_.size()];
    const Buffer& y = y_[task % y_.size()];
    const std::array<vk::DescriptorBufferInfo, 3> buffers{
        {{x.handle(), 0, x.bytes()}, {y.handle(), 0, y.bytes()}, {x.handle(), 0, x.bytes()}}};
    const vk::WriteDescriptorSet write(sets_[task], 0, 0, vk::DescriptorType::eStorageBuffer, {}, buffers);
    (*device_.get()).updateDescriptorSets(1, &write, 0, nullptr, device_.functions());
  }
}

void Chain::record(const vk::raii::CommandBuffer& raii, std::size_t first, std::size_t end) const {
  const vk::CommandBuffer commands = *raii;
  const auto& functions = device_.functions();
  const vk::DependencyInfo barrier({}, kBarrier);
  const vk::PipelineLayout layout = pipeline_.front().layout();
  const vk::CommandBufferBeginInfo begin(vk::CommandBufferUsageFlagBits::eSimultaneousUse);
  check_result(commands.begin(&begin, functions), "vkBeginCommandBuffer");
  commands.pipelineBarrier2(&barrier, functions);  // orders the work after earlier submissions
  commands.bindPipeline(vk::PipelineBindPoint::eCompute, pipeline_.front().handle(), functions);
  for (std::size_t task = first; task < end; ++task) {
    commands.bindDescriptorSets(vk::PipelineBindPoint::eCompute, layout, 0, 1, &sets_[task], 0, nullptr, functions);
    commands.pushConstants(layout, vk::ShaderStageFlagBits::eCompute, 0, static_cast<std::uint32_t>(push_.size()),
                           push_.data(), functions);
    commands.dispatch(groups_[0], groups_[1], groups_[2], functions);
    if ((task + 1) % x_.size() == 0) commands.pipelineBarrier2(&barrier, functions);
  }
  check_result(vk::Result(functions.vkEndCommandBuffer(commands)), "vkEndCommandBuffer");
}

// The callers wait between passes, so the command buffer of the previous pass is not pending when its pool is reset.
void Chain::record_and_submit() {
  recording_pool_.reset();
  record(recorded_, 0, tasks());
  device_.submit(*recorded_);
}

void Chain::record_and_submit(std::size_t task) {
  recording_pool_.reset();
  record(recorded_, task, task + 1);
  device_.submit(*recorded_);
}

}  // namespace raw
