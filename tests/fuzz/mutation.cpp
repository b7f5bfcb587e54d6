#include "mutation.hpp"

#include <algorithm>
#include <cstddef>

namespace aclvk::fuzz {
namespace {

constexpr std::size_t kLongest = 4096;
constexpr std::uint64_t kEdges[] = {0,          1,          0x7F,       0x80,       0xFF,       0x7FFF,
                                    0xFFFF,     0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1ULL << 32, 1ULL << 62,
                                    1ULL << 63, ~0ULL >> 1, ~0ULL,      64};

class Mutator {
 public:
  Mutator(Input input, const Input& other, std::mt19937_64& random)
      : input_(std::move(input)), other_(other), random_(random) {}

  Input run() {
    for (std::size_t left = 1 + pick(8); left > 0; --left) change();
    if (input_.size() > kLongest) input_.resize(kLongest);
    return std::move(input_);
  }

 private:
  using Offset = Input::difference_type;

  std::size_t pick(std::size_t count) { return count == 0 ? 0 : random_() % count; }
  Input::iterator place() { return input_.begin() + static_cast<Offset>(pick(input_.size())); }

  void change() {
    if (input_.empty()) return insert();
    switch (pick(7)) {
      case 0: *place() ^= static_cast<std::uint8_t>(1U << pick(8)); break;
      case 1: *place() = static_cast<std::uint8_t>(random_()); break;
      case 2: set_edge(); break;
      case 3: insert(); break;
      case 4: leave_out(); break;
      case 5: repeat(input_); break;
      default: repeat(other_); break;
    }
  }
  void set_edge() {
    std::uint64_t edge = kEdges[pick(std::size(kEdges))];
    const std::size_t at = pick(input_.size());
    const std::size_t bytes = std::min<std::size_t>(std::size_t{1} << pick(4), input_.size() - at);
    for (std::size_t i = 0; i < bytes; ++i, edge >>= 8) input_[at + i] = static_cast<std::uint8_t>(edge);
  }
  void insert() {
    input_.insert(input_.begin() + static_cast<Offset>(pick(input_.size() + 1)), static_cast<std::uint8_t>(random_()));
  }
  void leave_out() {
    const auto first = place();
    const auto most = std::min<Offset>(input_.end() - first, 16);
    input_.erase(first, first + 1 + static_cast<Offset>(pick(static_cast<std::size_t>(most))));
  }
  /// A part of `from` once more, somewhere.
  void repeat(const Input& from) {
    if (from.empty()) return;
    const std::size_t first = pick(from.size());
    const std::size_t count = 1 + pick(std::min<std::size_t>(from.size() - first, 64));
    const Input part(from.begin() + static_cast<Offset>(first), from.begin() + static_cast<Offset>(first + count));
    input_.insert(place(), part.begin(), part.end());
  }

  Input input_;
  const Input& other_;
  std::mt19937_64& random_;
};

}  // namespace

Input mutated(Input input, const Input& other, std::mt19937_64& random) {
  return Mutator(std::move(input), other, random).run();
}

}  // namespace aclvk::fuzz
