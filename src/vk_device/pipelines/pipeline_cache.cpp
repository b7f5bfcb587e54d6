#include "vk_device/pipelines/pipeline_cache.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/private_file.hpp"
#include "vk_device/gpu/vk_error.hpp"

namespace aclvk::vk {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxBlobBytes = std::uint64_t{1} << 30;  // bounds what a damaged frame header can allocate

// Concatenates strings, because libstdc++'s std::filesystem::path is not exception safe when an append runs out of
// memory.
std::string cache_folder() {
  if (!config().cache_dir.empty()) return config().cache_dir;
  if (!config().xdg_cache_home.empty()) return config().xdg_cache_home + "/aclvk";
  if (!config().home.empty()) return config().home + "/.cache/aclvk";
  return {};
}

// One file for each driver build: pipelineCacheUUID changes with the format of the data.
fs::path cache_file(const Gpu& gpu) {
  const std::string folder = cache_folder();
  if (!config().pipeline_cache || gpu.quirks().no_pipeline_cache || folder.empty()) return {};
  const auto properties = gpu.physical().getProperties();
  std::string name = fmt::format("{}/{:04x}-{:04x}-", folder, properties.vendorID, properties.deviceID);
  for (const std::uint8_t byte : properties.pipelineCacheUUID) name += fmt::format("{:02x}", byte);
  return name + ".pipelines";
}

// Drivers validate only the header of their data, so the file is a zstd frame, whose checksum detects damaged and
// truncated files.
std::vector<std::byte> packed(const std::vector<std::uint8_t>& blob) {
  std::vector<std::byte> frame(ZSTD_compressBound(blob.size()));
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  check(context != nullptr, Code::kFailure, "zstd has no memory for a context.");
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t bytes = ZSTD_compress2(context.get(), frame.data(), frame.size(), blob.data(), blob.size());
  check(ZSTD_isError(bytes) == 0, Code::kFailure, "zstd answers {}.", ZSTD_getErrorName(bytes));
  frame.resize(bytes);
  return frame;
}

std::vector<std::byte> unpacked(const std::vector<std::byte>& frame) {
  const unsigned long long bytes = ZSTD_getFrameContentSize(frame.data(), frame.size());
  // Also refuses ZSTD_CONTENTSIZE_UNKNOWN and ZSTD_CONTENTSIZE_ERROR, which are the largest 64-bit numbers.
  check(bytes <= kMaxBlobBytes, Code::kFailure, "it is no frame of zstd with at most {} bytes.", kMaxBlobBytes);
  std::vector<std::byte> blob(bytes);
  const std::size_t got = ZSTD_decompress(blob.data(), blob.size(), frame.data(), frame.size());
  check(got == bytes, Code::kFailure, "it is damaged.");
  return blob;
}

std::vector<std::byte> read_blob(const fs::path& file) {
  if (file.empty()) return {};
  try {
    const auto frame = read_private_file(file);
    return frame ? unpacked(*frame) : std::vector<std::byte>{};
  } catch (const Error& error) {
    log().warn("The pipeline cache {} is not used: {}", file.string(), error.sentence());
    return {};
  }
}

}  // namespace

PipelineCache::PipelineCache(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)), file_(cache_file(*gpu_)) {
  // The driver checks the header and ignores data of another device.
  const auto data = read_blob(file_);
  const ::vk::PipelineCacheCreateInfo info({}, data.size(), data.data());
  cache_ = guarded([&] { return ::vk::raii::PipelineCache(gpu_->device(), info); }, "creating the pipeline cache");
}

void PipelineCache::save() const {
  if (file_.empty()) return;
  try {
    write_private_file(file_, packed(cache_.getData()));
  } catch (const std::exception& error) {
    log().warn("The pipeline cache {} is not written: {}", file_.string(), error.what());
  }
}

}  // namespace aclvk::vk
