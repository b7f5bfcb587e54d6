// Changes instructions instead of bytes: most bytes of a module are lengths and ids, and a wrong one hides what is
// after it.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t kHeaderWords = 5;
constexpr std::size_t kBoundWord = 3;
constexpr std::uint32_t kEdges[] = {0,      1,      2,          7,          9,          12,        0x7F,
                                    0x1000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0x20000000, 0xFFFFFFFF};

class Module {
 public:
  Module(const std::uint8_t* data, std::size_t size, unsigned seed) : random_(seed) {
    Words words(size / 4);
    if (!words.empty()) std::memcpy(words.data(), data, words.size() * 4);
    const std::size_t header = std::min(words.size(), kHeaderWords);
    header_.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(header));
    for (std::size_t at = header; at < words.size();) {
      const std::size_t length = std::clamp<std::size_t>(words[at] >> 16, 1, words.size() - at);
      const auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
      instructions_.emplace_back(first, first + static_cast<std::ptrdiff_t>(length));
      at += length;
    }
  }

  void change() {
    if (instructions_.empty()) return;
    Words& instruction = instructions_[pick(instructions_.size())];
    switch (pick(8)) {
      case 0: instructions_.erase(instructions_.begin() + (&instruction - instructions_.data())); break;
      case 1: instructions_.insert(place(), Words(instruction)); break;
      case 2: std::swap(instruction, instructions_[pick(instructions_.size())]); break;
      case 3: resize(instruction); break;
      default: operand_of(instruction) = other_word(); break;
    }
  }

  std::size_t write(std::uint8_t* data, std::size_t most) const {
    Words words(header_);
    for (const Words& instruction : instructions_) words.insert(words.end(), instruction.begin(), instruction.end());
    const std::size_t bytes = std::min(words.size() * 4, most / 4 * 4);
    if (bytes > 0) std::memcpy(data, words.data(), bytes);
    return bytes;
  }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }
  std::vector<Words>::iterator place() {
    return instructions_.begin() + static_cast<std::ptrdiff_t>(pick(instructions_.size() + 1));
  }
  std::uint32_t& operand_of(Words& instruction) {
    return instruction.size() > 1 ? instruction[1 + pick(instruction.size() - 1)] : instruction[0];
  }
  // One operand more or less, with the length to match.
  void resize(Words& instruction) {
    if (instruction.size() > 1 && pick(2) == 0) {
      instruction.pop_back();
    } else {
      instruction.push_back(other_word());
    }
    instruction[0] = (instruction[0] & 0xFFFF) | static_cast<std::uint32_t>(instruction.size()) << 16;
  }
  /// An id most often, else a number.
  std::uint32_t other_word() {
    const std::uint32_t bound = header_.size() > kBoundWord ? std::clamp(header_[kBoundWord], 1U, 4096U) : 1;
    switch (pick(4)) {
      case 0: return kEdges[pick(std::size(kEdges))];
      case 1: return static_cast<std::uint32_t>(pick(64));
      default: return static_cast<std::uint32_t>(pick(bound));
    }
  }

  std::minstd_rand random_;
  Words header_;
  std::vector<Words> instructions_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most) __attribute__((weak));

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (seed % 8 == 0 && LLVMFuzzerMutate) return LLVMFuzzerMutate(data, size, most);
  Module module(data, size, seed);
  for (unsigned left = 1 + seed % 3; left > 0; --left) module.change();
  return module.write(data, most);
}
