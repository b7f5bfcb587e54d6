#include "vk_device/memory/address_source.hpp"

#include "base/config.hpp"
#include "vk_device/memory/host_addresses.hpp"
#include "vk_device/memory/sparse_addresses.hpp"

namespace aclvk::vk {

std::shared_ptr<AddressSource> create_address_source(const std::shared_ptr<const Gpu>& gpu,
                                                     const std::shared_ptr<VulkanQueue>& sparse_queue) {
  const std::string& wanted = config().reserved_addresses;
  // Imports of host memory make device addresses equal host addresses on CPU drivers only (docs/adr/0016).
  const bool on_cpu = gpu->info().kind == DeviceKind::kCpu && gpu->limits().host_import_alignment > 0;
  if (on_cpu && wanted != "sparse") return std::make_shared<HostAddressSource>(gpu);
  if (sparse_queue && wanted != "host") return std::make_shared<SparseAddressSource>(gpu, sparse_queue);
  return nullptr;
}

}  // namespace aclvk::vk
