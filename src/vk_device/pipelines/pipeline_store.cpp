#include "vk_device/pipelines/pipeline_store.hpp"

#include <algorithm>
#include <cstddef>

#include "base/config.hpp"
#include "base/error.hpp"
#include "vk_device/gpu/vk_error.hpp"
#include "vk_device/modules/shader_capabilities.hpp"
#include "vk_device/modules/shader_store.hpp"
#include "vk_device/pipelines/vulkan_kernel.hpp"

namespace aclvk::vk {
namespace {

constexpr std::uint32_t kUnpacksHalves = 1000;  // constant_id in shaders/common/dtype.glsl
constexpr std::size_t kSaveInterval =
    64;  // in pipelines; a program that never closes its device still stores its cache

std::vector<::vk::DescriptorSetLayoutBinding> storage_bindings(std::uint32_t count) {
  std::vector<::vk::DescriptorSetLayoutBinding> bindings;
  for (std::uint32_t i = 0; i < count; ++i) {
    bindings.emplace_back(i, ::vk::DescriptorType::eStorageBuffer, 1, ::vk::ShaderStageFlagBits::eCompute);
  }
  return bindings;
}

/// Describes an array of constants to Vulkan.
std::vector<::vk::SpecializationMapEntry> entries_of(const std::vector<SpecializationValue>& values) {
  std::vector<::vk::SpecializationMapEntry> entries;
  for (const SpecializationValue& value : values) {
    const std::size_t offset = entries.size() * sizeof(SpecializationValue) + offsetof(SpecializationValue, value);
    entries.emplace_back(value.id, static_cast<std::uint32_t>(offset), sizeof(value.value));
  }
  return entries;
}

// Fibonacci hashing: constants are small numbers, and the multiplication spreads them over all bits.
std::size_t hash_of(const void* shader, const Constants& constants) {
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(shader);
  for (const std::uint32_t constant : constants) hash = (hash ^ constant) * 0x9E3779B97F4A7C15ULL;
  return hash ^ hash >> 32;
}

}  // namespace

PipelineStore::PipelineStore(std::shared_ptr<const Gpu> gpu)
    : gpu_(std::move(gpu)),
      cache_(gpu_),
      force_addresses_(config().force_addresses),
      wide_words_(gpu_->features().int64 && gpu_->quirks().wide_words && config().driver_tuning),
      unpacks_halves_(gpu_->quirks().unpacks_halves && config().driver_tuning) {}

PipelineStore::~PipelineStore() {
  if (created_ > 0) cache_.save();
}

const Pipeline& PipelineStore::find(const Dispatch& dispatch) {
  if (dispatch.custom) return static_cast<const VulkanKernel&>(*dispatch.custom->kernel).pipeline(*dispatch.custom);
  // Most launches repeat a recent one and find its pipeline here, without a lock. The whole key is compared, since
  // hashes may collide. The hash takes the address of the name, since names are literals or interned.
  std::atomic<const Entry*>& recent = recent_[hash_of(dispatch.shader.data(), dispatch.constants) % recent_.size()];
  const Entry* entry = recent.load(std::memory_order_acquire);
  const bool same_shader = entry && entry->first.shader->name == dispatch.shader;
  const EmbeddedShader* shader = same_shader ? entry->first.shader : find_shader(dispatch.shader);
  check(shader != nullptr, Code::kRuntimeInternal, "there is no shader {}.", dispatch.shader);
  const Key key = key_of(*shader, dispatch);
  if (same_shader && entry->first == key) return entry->second;
  entry = &find_or_create(key);
  recent.store(entry, std::memory_order_release);
  return entry->second;
}

PipelineStore::Key PipelineStore::key_of(const EmbeddedShader& shader, const Dispatch& dispatch) const {
  const bool joined = dispatch.joined.operands > 0;
  const bool block = joined || dispatch.operands.size() * 8 + dispatch.arguments.size() > kPushConstantBytes;
  // The bits are those of EmbeddedShader: 1 block in memory, 2 device addresses, 4 words of 64 bits.
  const std::size_t narrow = (needs_addresses(dispatch) ? 2U : 0U) | (block ? 1U : 0U);
  const std::size_t variant = wide_words_ && shader.word_counts[narrow | 4U] > 0 ? narrow | 4U : narrow;
  // With device addresses no operand is bound, and one layout serves any number of them.
  const std::size_t bound = (variant & 2U) != 0 ? 0 : dispatch.operands.size();
  return {&shader, variant, bound, dispatch.constants};
}

const PipelineStore::Entry& PipelineStore::find_or_create(const Key& key) {
  {
    const SharedLock lock(mutex_);
    if (const auto it = pipelines_.find(key); it != pipelines_.end()) return *it;
  }
  return create(key);
}

std::size_t PipelineStore::Hash::operator()(const Key& key) const {
  return hash_of(key.shader, key.constants) + key.variant;
}

// A descriptor covers at most maxStorageBufferRange bytes (lavapipe: 128 MiB), and Recorder aligns both of its ends
// outward.
bool PipelineStore::needs_addresses(const Dispatch& dispatch) const {
  const Limits& limits = gpu_->limits();
  if (dispatch.joined.operands > 0) return true;
  if (force_addresses_ || dispatch.operands.size() >= limits.max_storage_buffers) return true;
  const std::uint64_t max_range = limits.max_storage_buffer_range - 2 * limits.storage_buffer_alignment;
  return std::any_of(dispatch.operands.begin(), dispatch.operands.end(),
                     [&](const DispatchOperand& operand) { return operand.range.size > max_range; });
}

const PipelineStore::Entry& PipelineStore::create(const Key& key) {
  const LockGuard creation(creation_mutex_);
  {
    const SharedLock lock(mutex_);  // another thread may have compiled it meanwhile
    if (const auto it = pipelines_.find(key); it != pipelines_.end()) return *it;
  }
  const bool addresses = (key.variant & 2) != 0;
  const bool block_in_memory = (key.variant & 1) != 0;
  const std::size_t bindings = addresses ? 0 : key.operands + (block_in_memory ? 1 : 0);
  const PipelineLayout& layout = layout_with(static_cast<std::uint32_t>(bindings));
  // Outside mutex_, so that look-ups of other pipelines do not wait for the compiler.
  ::vk::raii::Pipeline handle = compile(key, layout);
  if (++created_ % kSaveInterval == 0) cache_.save();
  const LockGuard lock(mutex_);
  return *pipelines_.try_emplace(key, std::move(handle), layout, addresses, block_in_memory).first;
}

/// Returns the kernel's own constants, followed by the one that depends on the device.
std::vector<SpecializationValue> PipelineStore::values_of(const Constants& constants) const {
  std::vector<SpecializationValue> values;
  for (const std::uint32_t value : constants) values.push_back({static_cast<std::uint32_t>(values.size()), value});
  values.push_back({kUnpacksHalves, unpacks_halves_ ? 1U : 0U});
  return values;
}

::vk::raii::Pipeline PipelineStore::compile(const Key& key, const PipelineLayout& layout) const {
  std::vector<std::uint32_t> words = unpack(*key.shader, key.variant);
  check(!words.empty(), Code::kFeatureNotSupported, "shader {} has no variant with {} and its arguments in {}.",
        key.shader->name, key.variant & 2 ? "device addresses" : "descriptors",
        key.variant & 1 ? "memory" : "push constants");
  if (const auto missing = missing_capability({words.data(), words.size()}, gpu_->features())) {
    fail(Code::kFeatureNotSupported, "Kernel {} needs {}, which this driver does not have: {}.", key.shader->name,
         *missing, gpu_->info().name);
  }
  const auto values = values_of(key.constants);
  if (gpu_->quirks().inline_functions) {
    words = specialized_and_inlined(words, values);
  } else if (gpu_->quirks().specialize_modules) {
    words = specialized(words, values);
  }
  const auto entries = entries_of(values);
  const ::vk::SpecializationInfo constants(static_cast<std::uint32_t>(entries.size()), entries.data(),
                                           values.size() * sizeof(SpecializationValue), values.data());
  return guarded([&] { return create_pipeline(words, "main", constants, layout, {}); }, "compiling shader {}",
                 key.shader->name);
}

::vk::raii::Pipeline PipelineStore::create_pipeline(const std::vector<std::uint32_t>& words, const char* entry,
                                                    const ::vk::SpecializationInfo& constants,
                                                    const PipelineLayout& layout,
                                                    ::vk::PipelineCreateFlags flags) const {
  const ::vk::raii::ShaderModule module(gpu_->device(), ::vk::ShaderModuleCreateInfo({}, words));
  const ::vk::PipelineShaderStageCreateInfo stage({}, ::vk::ShaderStageFlagBits::eCompute, *module, entry, &constants);
  const ::vk::ComputePipelineCreateInfo info(flags, stage, *layout.layout);
  auto made = (*gpu_->device()).createComputePipeline(cache_.handle(), info, nullptr, gpu_->functions());
  return ::vk::raii::Pipeline(gpu_->device(), made.value);
}

const PipelineLayout& PipelineStore::layout(std::uint32_t bindings) {
  const LockGuard creation(creation_mutex_);
  return layout_with(bindings);
}

// Needs no lock: a VkPipelineCache is internally synchronized.
::vk::raii::Pipeline PipelineStore::compile(const std::vector<std::uint32_t>& words, const std::string& entry,
                                            const ::vk::SpecializationInfo& constants, const PipelineLayout& layout,
                                            ::vk::PipelineCreateFlags flags) {
  ::vk::raii::Pipeline pipeline = guarded(
      [&] { return create_pipeline(words, entry.c_str(), constants, layout, flags); }, "compiling kernel {}", entry);
  ++created_;
  return pipeline;
}

const PipelineLayout& PipelineStore::layout_with(std::uint32_t bindings) {
  PipelineLayout& entry = layouts_[bindings];
  if (*entry.layout) return entry;
  const auto list = storage_bindings(bindings);
  const ::vk::PushConstantRange constants(::vk::ShaderStageFlagBits::eCompute, 0, kPushConstantBytes);
  guarded(
      [&] {
        entry.bindings = bindings;
        entry.set = ::vk::raii::DescriptorSetLayout(gpu_->device(), ::vk::DescriptorSetLayoutCreateInfo({}, list));
        entry.layout =
            ::vk::raii::PipelineLayout(gpu_->device(), ::vk::PipelineLayoutCreateInfo({}, *entry.set, constants));
      },
      "creating a pipeline layout for {} buffers", bindings);
  return entry;
}

}  // namespace aclvk::vk
