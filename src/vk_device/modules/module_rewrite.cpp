#include "vk_device/modules/module_rewrite.hpp"

#include <algorithm>
#include <cstddef>

#include "vk_device/modules/module_words.hpp"

namespace aclvk::vk {
namespace {

constexpr std::size_t kVersionWord = 1;
constexpr std::uint32_t kVersion13 =
    0x00010300;  // the first version in which StorageClassStorageBuffer needs no extension

std::uint32_t opcode(std::uint32_t word) { return word & spv::OpCodeMask; }
std::uint32_t length(std::uint32_t word) { return word >> spv::WordCountShift; }

// Returns the index of the word with the storage class of a pointer type or a variable; 0 for other instructions.
std::size_t storage_class_word(std::uint32_t code) {
  if (code == spv::OpTypePointer) return 2;
  return code == spv::OpVariable ? 3 : 0;
}

bool is_annotation(std::uint32_t code) {
  return code == spv::OpDecorate || code == spv::OpMemberDecorate || code == spv::OpDecorationGroup ||
         code == spv::OpDecorateId || code == spv::OpDecorateString;
}

void decorate(std::vector<std::uint32_t>& out, std::uint32_t id, spv::Decoration decoration, std::uint32_t value) {
  out.insert(out.end(), {4U << spv::WordCountShift | static_cast<std::uint32_t>(spv::OpDecorate), id,
                         static_cast<std::uint32_t>(decoration), value});
}

}  // namespace

std::vector<std::uint32_t> with_block_in_memory(const std::vector<std::uint32_t>& words, std::uint32_t binding) {
  std::vector<std::uint32_t> body(words);
  std::vector<std::uint32_t> blocks;  // ids of the push constant variables
  std::size_t annotations = 0;
  for (std::size_t at = kHeaderWords; at < body.size(); at += length(body[at])) {
    const std::uint32_t code = opcode(body[at]);
    if (annotations == 0 && is_annotation(code)) annotations = at;
    const std::size_t class_word = storage_class_word(code);
    if (class_word == 0 || body[at + class_word] != spv::StorageClassPushConstant) continue;
    body[at + class_word] = spv::StorageClassStorageBuffer;
    if (code == spv::OpVariable) blocks.push_back(body[at + 2]);
  }
  if (blocks.empty()) return body;
  // A valid block of push constants is decorated (Block, Offset), so `annotations` has been found.
  std::vector<std::uint32_t> decorations;
  for (const std::uint32_t block : blocks) {
    decorate(decorations, block, spv::DecorationDescriptorSet, 0);
    decorate(decorations, block, spv::DecorationBinding, binding);
  }
  body[kVersionWord] = std::max(body[kVersionWord], kVersion13);
  body.insert(body.begin() + static_cast<std::ptrdiff_t>(annotations), decorations.begin(), decorations.end());
  return body;
}

}  // namespace aclvk::vk
