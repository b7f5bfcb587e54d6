#include "vk_device/pipeline_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "base/config.hpp"
#include "base/log.hpp"
#include "vk_device/vk_error.hpp"

namespace aclvk::vk {
namespace {

namespace fs = std::filesystem;

fs::path cache_folder() {
  if (!config().cache_dir.empty()) return config().cache_dir;
  if (!config().xdg_cache_home.empty()) return fs::path(config().xdg_cache_home) / "aclvk";
  if (!config().home.empty()) return fs::path(config().home) / ".cache" / "aclvk";
  return {};
}

// One file a driver build: its UUID changes whenever the blob's format does.
fs::path cache_file(const Gpu& gpu) {
  const fs::path folder = cache_folder();
  if (!config().pipeline_cache || gpu.quirks().no_pipeline_cache || folder.empty()) return {};
  const auto properties = gpu.physical().getProperties();
  std::string name = fmt::format("{:04x}-{:04x}-", properties.vendorID, properties.deviceID);
  for (const std::uint8_t byte : properties.pipelineCacheUUID) name += fmt::format("{:02x}", byte);
  return folder / (name + ".pipelines");
}

std::vector<char> read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

PipelineCache::PipelineCache(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)), file_(cache_file(*gpu_)) {
  // The driver checks the header itself and starts empty when the file is another device's.
  const auto data = file_.empty() ? std::vector<char>{} : read_file(file_);
  const ::vk::PipelineCacheCreateInfo info({}, data.size(), data.data());
  cache_ = guarded([&] { return ::vk::raii::PipelineCache(gpu_->device(), info); }, "creating the pipeline cache");
}

void PipelineCache::save() const {
  if (file_.empty()) return;
  try {
    const auto data = cache_.getData();
    fs::create_directories(file_.parent_path());
    // Written aside and renamed, so that a process that reads at the same time sees a whole file.
    const fs::path aside = file_.string() + fmt::format(".{}", getpid());
    std::ofstream(aside, std::ios::binary)
        .write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
    fs::rename(aside, file_);
  } catch (const std::exception& error) {
    log().warn("The pipeline cache {} is not written: {}", file_.string(), error.what());
  }
}

}  // namespace aclvk::vk
