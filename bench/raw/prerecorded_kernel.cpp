#include "raw/prerecorded_kernel.hpp"

#include <algorithm>
#include <array>

namespace raw {
namespace {

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

bool needs_int64(const std::string& name) { return contains(name, "_wide_"); }

bool needs_shuffles(const std::string& name) { return contains(name, "_shared"); }

// The styles in the names are those of bench/shaders/*.comp, where WIDTH is this number.
std::uint32_t elements_per_thread(const std::string& name) {
  if (contains(name, "_wide_")) return 8;
  if (contains(name, "_vec4_")) return 4;
  return contains(name, "_half_few_") || contains(name, "_float_few_") ? 2 : 1;
}

std::uint32_t local_size(const std::string& name) { return contains(name, "_256") ? 256 : 64; }

std::array<std::uint32_t, 2> grid_for(const std::string& name, std::uint32_t count) {
  constexpr std::uint32_t kMaxGroups = 65535;  // the least maxComputeWorkGroupCount that Vulkan allows
  const std::uint32_t items = count / elements_per_thread(name);
  std::uint32_t groups = (items + local_size(name) - 1) / local_size(name);
  if (contains(name, "_stride_")) groups = std::min(groups, 1024U);  // a thread processes several items
  const std::uint32_t rows = (groups + kMaxGroups - 1) / kMaxGroups;
  return {(groups + rows - 1) / rows, rows};
}

std::array<std::uint32_t, 2> grid_for(const std::string& name, const Product& product) {
  // A group of 8 threads computes 64 columns and 16 rows of the product (bench/shaders/matmul.comp).
  if (contains(name, "_shared")) return {(product.n + 63) / 64, product.m / 16};
  const std::uint32_t results = contains(name, "_half_") ? 2 : 1;  // per thread
  return {(product.m * product.n / results + 63) / 64, 1};
}

}  // namespace

std::vector<const Shader*> shaders_for(const Device& device, const std::string& workload) {
  std::vector<const Shader*> found;
  for (std::size_t i = 0; i < kShaderCount; ++i) {
    const std::string name = kShaders[i].name;
    const bool runs =
        (device.has_int64() || !needs_int64(name)) && (device.shuffles_eight_lanes() || !needs_shuffles(name));
    if ((name == workload || name.rfind(workload + "_", 0) == 0) && runs) found.push_back(&kShaders[i]);
  }
  return found;
}

PrerecordedKernel::PrerecordedKernel(Device& device, const Shader& shader, const Operands& operands,
                                     std::uint32_t count)
    : device_(device) {
  constexpr std::uint32_t kOne = 0x3F800000;  // alpha, for the kernels with one
  record(shader, operands, {count, kOne, 0}, grid_for(shader.name, count), 1);
}

PrerecordedKernel::PrerecordedKernel(Device& device, const Shader& shader, const Operands& operands,
                                     const Product& product, std::size_t times)
    : device_(device) {
  record(shader, operands, {product.m, product.n, product.k}, grid_for(shader.name, product), times);
}

void PrerecordedKernel::record(const Shader& shader, const Operands& operands,
                               const std::array<std::uint32_t, 3>& arguments, const std::array<std::uint32_t, 2>& grid,
                               std::size_t times) {
  const auto buffers = static_cast<std::uint32_t>(operands.size());
  pipeline_.emplace(device_, shader.words, shader.count, std::vector<std::uint32_t>{}, buffers);
  create_set(operands);
  begin();
  const vk::CommandBuffer commands = *commands_;
  commands.bindPipeline(vk::PipelineBindPoint::eCompute, pipeline_->handle(), device_.functions());
  commands.bindDescriptorSets(vk::PipelineBindPoint::eCompute, pipeline_->layout(), 0, 1, &set_, 0, nullptr,
                              device_.functions());
  commands.pushConstants(pipeline_->layout(), vk::ShaderStageFlagBits::eCompute, 0, sizeof(arguments), &arguments,
                         device_.functions());
  for (std::size_t i = 0; i < times; ++i) {
    if (i > 0) barrier();
    commands.dispatch(grid[0], grid[1], 1, device_.functions());
  }
  end();
}

PrerecordedKernel::PrerecordedKernel(Device& device, const Operands& operands) : device_(device) {
  begin();
  const vk::BufferCopy all(0, 0, operands.front().bytes());
  (*commands_).copyBuffer(operands.front().handle(), operands.back().handle(), 1, &all, device.functions());
  end();
}

void PrerecordedKernel::create_set(const Operands& operands) {
  const auto buffers = static_cast<std::uint32_t>(operands.size());
  const vk::DescriptorPoolSize size(vk::DescriptorType::eStorageBuffer, buffers);
  descriptors_ = vk::raii::DescriptorPool(device_.get(), vk::DescriptorPoolCreateInfo({}, 1, size));
  const vk::DescriptorSetLayout layout = pipeline_->set_layout();
  set_ = (*device_.get()).allocateDescriptorSets({*descriptors_, layout}, device_.functions()).front();
  std::vector<vk::DescriptorBufferInfo> infos;
  for (const Buffer& buffer : operands) infos.emplace_back(buffer.handle(), 0, buffer.bytes());
  const vk::WriteDescriptorSet write(set_, 0, 0, vk::DescriptorType::eStorageBuffer, {}, infos);
  (*device_.get()).updateDescriptorSets(1, &write, 0, nullptr, device_.functions());
}

void PrerecordedKernel::begin() {
  pool_ = vk::raii::CommandPool(device_.get(), vk::CommandPoolCreateInfo({}, device_.family()));
  const vk::CommandBufferAllocateInfo info(*pool_, vk::CommandBufferLevel::ePrimary, 1);
  commands_ = std::move(vk::raii::CommandBuffers(device_.get(), info).front());
  commands_.begin(vk::CommandBufferBeginInfo(vk::CommandBufferUsageFlagBits::eSimultaneousUse));
}

void PrerecordedKernel::barrier() {
  constexpr auto kWorkStages = vk::PipelineStageFlagBits2::eComputeShader | vk::PipelineStageFlagBits2::eAllTransfer;
  const vk::MemoryBarrier2 memory(kWorkStages, vk::AccessFlagBits2::eMemoryWrite, kWorkStages,
                                  vk::AccessFlagBits2::eMemoryRead | vk::AccessFlagBits2::eMemoryWrite);
  commands_.pipelineBarrier2(vk::DependencyInfo({}, memory));
}

// Ends with a barrier, which orders this submission before the next one.
void PrerecordedKernel::end() {
  barrier();
  commands_.end();
}

}  // namespace raw
