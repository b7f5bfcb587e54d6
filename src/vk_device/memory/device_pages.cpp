#include "vk_device/memory/device_pages.hpp"

#include "base/error.hpp"

namespace aclvk::vk {

File DevicePages::export_file(SharedBacking& out) const {
  check(!gpu_->limits().exports_buffers || gpu_->limits().exports_sparse, Code::kFeatureNotSupported,
        "{} cannot give the memory of sparse buffers to another process.", gpu_->info().name);
  File file = memory_.export_file(*gpu_);
  out = {SharedBacking::Kind::kDevicePages, memory_.bytes(), memory_.type()};
  return file;
}

}  // namespace aclvk::vk
