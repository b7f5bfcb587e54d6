#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

namespace aclvk {

// Files whose contents the library trusts, because only the current user can write them.

/// Returns the bytes of the file; none if there is no file. Throws kNoPermission unless it is a plain file that belongs
/// to the user and is not writable for other users; the same holds for its folder.
std::optional<std::vector<std::byte>> read_private_file(const std::filesystem::path& path);

/// Writes the file atomically: a concurrent reader sees the old file or the complete new one. Creates missing folders,
/// accessible for the user only. Throws kNoPermission like read_private_file(), kFailure for errors of the system.
void write_private_file(const std::filesystem::path& path, const std::vector<std::byte>& bytes);

}  // namespace aclvk
