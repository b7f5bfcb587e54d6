#include "runtime/stream/kernel_launch.hpp"

#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "runtime/device/device.hpp"

namespace aclvk::runtime {

void launch(Stream& stream, const Function& function, const KernelArguments& arguments, const Grid& grid,
            std::shared_ptr<const LaunchAttributes> attributes) {
  if (attributes) check_attributes(*attributes);
  check_placeholders(arguments);
  stream.accept(function.launch(arguments, grid, std::move(attributes), stream.device()));
}

void check_placeholders(const KernelArguments& arguments) {
  constexpr std::size_t kAddressBytes = 8;
  const std::size_t bytes = arguments.block.size();
  for (const auto& [address_at, data_at] : arguments.placeholders) {
    check(address_at < bytes && bytes - address_at >= kAddressBytes, Code::kParamInvalid,
          "addrOffset {} leaves no room for an address in arguments of {} bytes.", address_at, bytes);
    check(data_at < bytes, Code::kParamInvalid, "dataOffset {} is outside arguments of {} bytes.", data_at, bytes);
  }
}

// Takes an array of pointers to arguments, as cuLaunchKernel does, and copies each argument to the offset that the
// kernel reads it at. Gaps between arguments are zero.
std::vector<std::byte> gather_arguments(const Function& function, void* const* arguments) {
  const std::vector<Parameter> parameters = function.parameters();
  check(parameters.empty() || arguments, Code::kInvalidParam, "args is NULL; kernel {} takes {} arguments.",
        function.name(), parameters.size());
  std::vector<std::byte> block;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    check(arguments[i] != nullptr, Code::kInvalidParam, "args[{}], for parameter {} of kernel {}, is NULL.", i,
          parameter.name, function.name());
    if (block.size() < parameter.offset + parameter.bytes) block.resize(parameter.offset + parameter.bytes);
    std::memcpy(block.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return block;
}

}  // namespace aclvk::runtime
