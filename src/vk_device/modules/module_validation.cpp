#include "vk_device/modules/module_validation.hpp"

#include <algorithm>
#include <spirv-tools/libspirv.hpp>
#include <string>

#include "base/error.hpp"
#include "vk_device/modules/module_words.hpp"
#include "vk_device/modules/shader_capabilities.hpp"

namespace aclvk::vk {
namespace {

spv_target_env environment_of(const Gpu& gpu) {
  return gpu.info().api_version >= VK_API_VERSION_1_3 ? SPV_ENV_VULKAN_1_3 : SPV_ENV_VULKAN_1_2;
}

std::string without_line_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace

void check_module(const std::vector<std::uint32_t>& words, const Gpu& gpu) {
  check(words.size() >= kHeaderWords, Code::kParamInvalid, "The SPIR-V module has {} words; its header alone has {}.",
        words.size(), kHeaderWords);
  std::string first;
  spvtools::SpirvTools tools(environment_of(gpu));
  tools.SetMessageConsumer([&](spv_message_level_t level, const char*, const spv_position_t&, const char* message) {
    if (level <= SPV_MSG_ERROR && first.empty()) first = without_line_end(message);
  });
  spvtools::ValidatorOptions options;
  // Core since Vulkan 1.1; scalar layout is a feature of 1.2.
  options.SetRelaxBlockLayout(true);
  options.SetScalarBlockLayout(gpu.features().scalar_block_layout);
  const bool valid = tools.Validate(words.data(), words.size(), options);
  check(valid, Code::kParamInvalid, "The SPIR-V module is not valid for {}: {}", gpu.info().name, first);
  if (const auto missing = unusable_capability({words.data(), words.size()}, gpu.features())) {
    fail(Code::kFeatureNotSupported, "The SPIR-V module needs {}, which kernels cannot use on {}.", *missing,
         gpu.info().name);
  }
}

}  // namespace aclvk::vk
