#include "vk_device/modules/specialization.hpp"

#include <spirv-tools/optimizer.hpp>
#include <unordered_map>

#include "vk_device/modules/module_words.hpp"

// SPIRV-Tools leaks objects when one of its allocations fails. Tests let them fail, and LeakSanitizer need not report
// it.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define ACLVK_ALLOW_LEAKS const __lsan::ScopedDisabler leaks_allowed
#endif
#endif
#ifndef ACLVK_ALLOW_LEAKS
#define ACLVK_ALLOW_LEAKS static_cast<void>(0)
#endif

namespace aclvk::vk {
namespace {

/// Removes [[unroll]]: eight by eight unrolled loads, each with a branch, make more basic blocks than SwiftShader's
/// register allocator can handle (quirks.def).
void forbid_unrolling(std::vector<std::uint32_t>& words) {
  constexpr std::size_t kControl = 3;  // after the opcode word and the merge and continue blocks
  for_each_instruction(words, [](spv::Op op, std::uint32_t* instruction, std::size_t) {
    if (op != spv::OpLoopMerge || (instruction[kControl] & spv::LoopControlUnrollMask) == 0) return;
    instruction[kControl] ^= spv::LoopControlUnrollMask | spv::LoopControlDontUnrollMask;
  });
}

void add_specialization(spvtools::Optimizer& optimizer, const std::vector<SpecializationValue>& values) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_id;
  for (const SpecializationValue& value : values) by_id[value.id] = {value.value};
  optimizer.RegisterPass(spvtools::CreateSetSpecConstantDefaultValuePass(by_id))
      .RegisterPass(spvtools::CreateFreezeSpecConstantValuePass())
      .RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass())
      .RegisterPass(spvtools::CreateDeadBranchElimPass())
      .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass());
}

void add_inlining(spvtools::Optimizer& optimizer) {
  optimizer
      .RegisterPass(spvtools::CreateMergeReturnPass())  // functions with early returns are not inlined
      .RegisterPass(spvtools::CreateInlineExhaustivePass())
      .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
      // Conditional constant propagation finds dead branches in SSA form only.
      .RegisterPass(spvtools::CreateSSARewritePass())
      .RegisterPass(spvtools::CreateCCPPass())
      .RegisterPass(spvtools::CreateDeadBranchElimPass())
      .RegisterPass(spvtools::CreateBlockMergePass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass());
}

/// Runs the passes of an optimizer. Returns the module unchanged when one of them fails.
std::vector<std::uint32_t> optimized(const spvtools::Optimizer& optimizer, const std::vector<std::uint32_t>& words) {
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);  // embedded modules were validated at build time
  std::vector<std::uint32_t> result;
  return optimizer.Run(words.data(), words.size(), &result, options) ? result : words;
}

}  // namespace

std::vector<std::uint32_t> specialized(const std::vector<std::uint32_t>& words,
                                       const std::vector<SpecializationValue>& values) {
  ACLVK_ALLOW_LEAKS;
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
  add_specialization(optimizer, values);
  return optimized(optimizer, words);
}

std::vector<std::uint32_t> specialized_and_inlined(const std::vector<std::uint32_t>& words,
                                                   const std::vector<SpecializationValue>& values) {
  ACLVK_ALLOW_LEAKS;
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
  add_specialization(optimizer, values);
  add_inlining(optimizer);
  std::vector<std::uint32_t> result = optimized(optimizer, words);
  forbid_unrolling(result);
  return result;
}

}  // namespace aclvk::vk
