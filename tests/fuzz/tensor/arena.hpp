#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aclvk::fuzz {

/// A tensor as it is given to the library: any numbers.
struct View {
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> strides;  ///< in elements; always as many as dims
  std::int64_t offset = 0;
  int dtype = 0;
  std::uintptr_t address = 0;
};

/// The device memory in which all tensors of a case are: a piece for each, with bytes around it that belong to none.
/// What an operator may change is set before it runs; everything else has to stay as it was.
class Arena {
 public:
  static constexpr std::size_t kPieces = 64;
  static constexpr std::size_t kPieceBytes = 8192;
  static constexpr std::size_t kGuardBytes = 512;  ///< in front of each
  static constexpr std::size_t kWorkspaceBytes = std::size_t{1} << 20;

  Arena();

  std::uintptr_t piece(std::size_t number) const;
  void* workspace() const;
  std::size_t bytes() const { return before_.size(); }

  /// Sets all bytes, in one of several ways: an operator takes them as indices, floats or switches.
  void fill(std::size_t way);
  /// The view has no more elements than can be looked at one by one.
  static bool can_watch(const View& view);
  /// The elements of the view may change. False for one that reaches beyond the arena or has too many elements to look
  /// at.
  bool allow(const View& view);
  void allow_workspace(std::size_t bytes);
  /// The first byte that changed and may not; nothing when all is well.
  const char* find_damage(std::size_t* place);

 private:
  bool allow_bytes(std::uintptr_t first, std::size_t count);

  void* memory_ = nullptr;
  std::vector<std::uint8_t> before_;
  std::vector<std::uint8_t> after_;
  std::vector<bool> allowed_;
};

}  // namespace aclvk::fuzz
