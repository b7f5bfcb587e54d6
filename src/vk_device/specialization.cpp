#include "vk_device/specialization.hpp"

#include <spirv-tools/optimizer.hpp>
#include <unordered_map>

namespace aclvk::vk {

std::vector<std::uint32_t> specialized(const std::vector<std::uint32_t>& words,
                                       const std::vector<SpecializationValue>& values) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_id;
  for (const SpecializationValue& value : values) by_id[value.id] = {value.value};
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
  optimizer.RegisterPass(spvtools::CreateSetSpecConstantDefaultValuePass(by_id))
      .RegisterPass(spvtools::CreateFreezeSpecConstantValuePass())
      .RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass())
      .RegisterPass(spvtools::CreateMergeReturnPass())  // functions that return early are not inlined
      .RegisterPass(spvtools::CreateInlineExhaustivePass())
      .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
      .RegisterPass(spvtools::CreateSSARewritePass())
      .RegisterPass(spvtools::CreateCCPPass())
      .RegisterPass(spvtools::CreateDeadBranchElimPass())
      .RegisterPass(spvtools::CreateBlockMergePass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass());
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);  // they were valid when they were embedded
  std::vector<std::uint32_t> less;
  return optimizer.Run(words.data(), words.size(), &less, options) ? less : words;
}

}  // namespace aclvk::vk
