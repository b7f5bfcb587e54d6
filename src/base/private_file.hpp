#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

namespace aclvk {

// Files that only this user may have written: what is in them is believed.

/// The bytes; nothing when there is no such file. Throws kNoPermission for what is no plain file, belongs to another
/// user or can be written by others, and the same for the folder that it lies in.
std::optional<std::vector<std::byte>> read_private_file(const std::filesystem::path& path);

/// Makes the file, and folders that are missing, for this user alone. Whoever reads at the same time sees the old file
/// or the whole new one. Throws kNoPermission as above, kFailure for what the system answers.
void write_private_file(const std::filesystem::path& path, const std::vector<std::byte>& bytes);

}  // namespace aclvk
