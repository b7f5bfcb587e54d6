#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "vk_device/gpu/gpu.hpp"
#include "vk_device/modules/embedded_shaders.hpp"
#include "vk_device/modules/specialization.hpp"
#include "vk_device/pipelines/dispatch.hpp"
#include "vk_device/pipelines/pipeline_cache.hpp"

namespace aclvk::vk {

/// The minimum of maxPushConstantsSize that Vulkan guarantees. Longer argument blocks go to memory.
constexpr std::size_t kPushConstantBytes = 128;

/// The layouts that pipelines with the same number of storage buffers share.
struct PipelineLayout {
  std::uint32_t bindings = 0;
  ::vk::raii::DescriptorSetLayout set{nullptr};
  ::vk::raii::PipelineLayout layout{nullptr};
};

struct Pipeline {
  Pipeline(::vk::raii::Pipeline made, const PipelineLayout& its_layout, bool by_address, bool block)
      : handle(std::move(made)), layout(&its_layout), addresses(by_address), block_in_memory(block) {}

  const ::vk::raii::Pipeline handle;
  const PipelineLayout* const layout;
  const bool addresses;                   ///< operands are device addresses, not descriptors
  const bool block_in_memory;             ///< the argument block is in memory, not in push constants
  mutable std::atomic<bool> warm{false};  ///< set by Device::warm_up()
};

/// The compute pipelines of a device, compiled on first use and kept as long as the device. Thread safe.
class PipelineStore {
 public:
  explicit PipelineStore(std::shared_ptr<const Gpu> gpu);
  ~PipelineStore();

  /// Returns the pipeline of this dispatch. Selects the module variant: descriptors or addresses, push constants or
  /// memory, 32-bit or 64-bit words (embedded_shaders.hpp).
  const Pipeline& find(const Dispatch& dispatch);
  /// Returns the layouts for this number of storage buffers.
  const PipelineLayout& layout(std::uint32_t bindings);
  /// Compiles a validated module. The caller owns the pipeline.
  ::vk::raii::Pipeline compile(const std::vector<std::uint32_t>& words, const std::string& entry,
                               const ::vk::SpecializationInfo& constants, const PipelineLayout& layout,
                               ::vk::PipelineCreateFlags flags);
  const Gpu& gpu() const { return *gpu_; }
  /// Returns how many pipelines have been compiled.
  std::size_t created() const { return created_; }

 private:
  struct Key {
    const EmbeddedShader* shader;
    std::size_t variant;
    std::size_t operands;
    Constants constants;

    bool operator==(const Key& other) const {
      return shader == other.shader && variant == other.variant && operands == other.operands &&
             constants == other.constants;
    }
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  using Entry = std::pair<const Key, Pipeline>;

  /// Returns true when descriptors cannot hold the operands (docs/adr/0002).
  bool needs_addresses(const Dispatch& dispatch) const;
  Key key_of(const EmbeddedShader& shader, const Dispatch& dispatch) const;
  const Entry& find_or_create(const Key& key);
  const Entry& create(const Key& key);
  std::vector<SpecializationValue> values_of(const Constants& constants) const;
  ::vk::raii::Pipeline compile(const Key& key, const PipelineLayout& layout) const;
  /// Compiles the words of a module; throws what Vulkan-Hpp throws.
  ::vk::raii::Pipeline create_pipeline(const std::vector<std::uint32_t>& words, const char* entry,
                                       const ::vk::SpecializationInfo& constants, const PipelineLayout& layout,
                                       ::vk::PipelineCreateFlags flags) const;
  const PipelineLayout& layout_with(std::uint32_t bindings) REQUIRES(creation_mutex_);

  std::shared_ptr<const Gpu> gpu_;
  PipelineCache cache_;
  bool force_addresses_;
  bool wide_words_;
  bool unpacks_halves_;

  // Serializes compilation: concurrent threads usually want the same pipeline.
  Mutex creation_mutex_ ACQUIRED_BEFORE(mutex_);
  std::map<std::uint32_t, PipelineLayout> layouts_ GUARDED_BY(creation_mutex_);
  std::atomic<std::size_t> created_{0};

  SharedMutex mutex_;
  std::unordered_map<Key, Pipeline, Hash> pipelines_ GUARDED_BY(mutex_);
  // Recently found entries, by a hash of shader and constants. Entries never move (std::unordered_map), so that a hit
  // needs no lock.
  std::array<std::atomic<const Entry*>, 64> recent_{};
};

}  // namespace aclvk::vk
