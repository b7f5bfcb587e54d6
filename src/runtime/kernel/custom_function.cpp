#include "runtime/kernel/custom_function.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/intern.hpp"
#include "runtime/device/device.hpp"

namespace aclvk::runtime {
namespace {

using Kind = vk::KernelParameter::Kind;

constexpr std::uint32_t kAddressBytes = 8;

/// Finds the memory that a launch can reach, parameter by parameter, so that the recorder can place barriers
/// (docs/adr/0018).
class OperandResolver {
 public:
  OperandResolver(const vk::CustomKernel& kernel, const KernelArguments& arguments, const Device& device)
      : kernel_(kernel), interface_(kernel.interface()), arguments_(arguments), device_(device) {
    operands.resize(interface_.buffers);
  }

  void resolve_all() {
    for (const vk::KernelParameter& parameter : interface_.parameters) {
      if (parameter.kind == Kind::kBytes) continue;
      if (const auto* placeholder = placeholder_of(parameter)) {
        check_placeholder(parameter, *placeholder);
      } else if (const std::uint64_t address = address_of(parameter)) {
        resolve(parameter, address);
      }
    }
  }

  vk::DispatchOperands operands;  // storage buffers by binding, then the allocations of pointers
  std::vector<vk::CustomLaunch::Address> addresses;

 private:
  const KernelArguments::Placeholder* placeholder_of(const vk::KernelParameter& parameter) const {
    for (const auto& placeholder : arguments_.placeholders) {
      if (placeholder.address_at == parameter.offset) return &placeholder;
    }
    return nullptr;
  }

  std::uint64_t address_of(const vk::KernelParameter& parameter) const {
    std::uint64_t address = 0;
    std::memcpy(&address, arguments_.block.data() + parameter.offset, kAddressBytes);
    return address;
  }

  void check_placeholder(const vk::KernelParameter& parameter, const KernelArguments::Placeholder& placeholder) const {
    check(parameter.kind != Kind::kBuffer || placeholder.data_at % kernel_.buffer_alignment() == 0, Code::kParamInvalid,
          "Parameter {} of kernel {} is a buffer, and its data is at {}; a multiple of {} is needed.", parameter.name,
          interface_.name, placeholder.data_at, kernel_.buffer_alignment());
  }

  // Takes the whole allocation as the operand: a pointer says neither how far the kernel accesses memory nor in which
  // direction.
  void resolve(const vk::KernelParameter& parameter, std::uint64_t address) {
    const auto found = device_.describe(reinterpret_cast<const void*>(address));
    const auto whole = found ? device_.find(reinterpret_cast<const void*>(found->start), found->size) : std::nullopt;
    if (!whole && parameter.kind == Kind::kWord64) return;  // a plain number, or an address unknown to the library
    check(whole.has_value(), Code::kParamInvalid,
          "Parameter {} of kernel {} is 0x{:x}, which is not inside a live allocation of device {}.{}", parameter.name,
          interface_.name, address, device_.id, device_.missing_access(reinterpret_cast<const void*>(address)));
    const std::uint64_t inside = address - found->start;
    if (parameter.kind == Kind::kBuffer) return bind(parameter, whole->slice(inside, whole->size - inside));
    if (parameter.kind == Kind::kWord64 && !interface_.computes_addresses)
      return;  // an integer that happens to equal one
    // Pinned memory has a host address, which programs pass, and another device address, which the kernel needs.
    const std::uint64_t on_device = whole->address() + inside;
    if (on_device != address) addresses.push_back({parameter.offset, on_device});
    operands.push_back({*whole, parameter.access});
  }

  void bind(const vk::KernelParameter& parameter, const vk::BufferRange& range) {
    check(range.offset % kernel_.buffer_alignment() == 0, Code::kParamInvalid,
          "Parameter {} of kernel {} is a buffer at 0x{:x}; the device takes multiples of {}.", parameter.name,
          interface_.name, range.pointer(), kernel_.buffer_alignment());
    operands[parameter.offset / kAddressBytes] = {range, parameter.access};
  }

  const vk::CustomKernel& kernel_;
  const vk::KernelInterface& interface_;
  const KernelArguments& arguments_;
  const Device& device_;
};

bool takes_addresses(const vk::KernelInterface& interface) {
  return std::any_of(interface.parameters.begin(), interface.parameters.end(),
                     [](const vk::KernelParameter& parameter) { return parameter.kind == Kind::kPointer; });
}

void check_threads(const vk::CustomKernel& kernel, const std::array<std::uint32_t, 3>& threads) {
  const vk::KernelInterface& interface = kernel.interface();
  for (std::size_t i = 0; i < 3; ++i) {
    check(threads[i] > 0, Code::kParamInvalid, "Kernel {} is launched with 0 threads in dimension {} of its blocks.",
          interface.name, i);
    const bool fixed = interface.local_size_ids[i] == vk::KernelInterface::kFixed;
    check(
        !fixed || threads[i] == interface.local_size[i], Code::kParamInvalid,
        "Kernel {} is launched with {} threads in dimension {} of its blocks; its local size there is {}. A local size "
        "that is a specialization constant can be chosen.",
        interface.name, threads[i], i, interface.local_size[i]);
  }
  kernel.check_local_size(threads);
}

std::uint32_t first_group(const vk::KernelInterface& interface, const LaunchAttributes* attributes) {
  if (!attributes) return 0;
  const std::uint32_t dynamic = attributes->word(LaunchAttribute::kDynamicMemory);
  check(dynamic == 0, Code::kFeatureNotSupported,
        "Kernel {} is launched with {} bytes of dynamic local memory; the shared memory of a Vulkan kernel is part of "
        "its module.",
        interface.name, dynamic);
  return attributes->word(LaunchAttribute::kBlockOffset);
}

}  // namespace

CustomFunction::CustomFunction(std::shared_ptr<const vk::CustomKernel> kernel, const Device& device, void* its_binary)
    : binary(its_binary), kernel_(std::move(kernel)), name_(intern(kernel_->interface().name)), device_(device) {}

void CustomFunction::check_size(std::size_t bytes) const {
  check(bytes >= kernel_->interface().argument_bytes(), Code::kParamInvalid,
        "The arguments have {} bytes; kernel {} takes {}.", bytes, name_, kernel_->interface().argument_bytes());
}

std::vector<Parameter> CustomFunction::parameters() const {
  std::vector<Parameter> all;
  for (const vk::KernelParameter& one : kernel_->interface().parameters)
    all.push_back({one.name, one.offset, one.bytes});
  return all;
}

bool CustomFunction::runs(const KernelTask& kernel) const {
  return kernel.dispatch.custom && kernel.dispatch.custom->kernel == kernel_;
}

KernelTask CustomFunction::launch(const KernelArguments& arguments, const Grid& grid,
                                  std::shared_ptr<const LaunchAttributes> attributes, const Device& device) const {
  const vk::KernelInterface& interface = kernel_->interface();
  const bool on_device = arguments.device_block.buffer != nullptr;
  check(&device == &device_, Code::kParamInvalid, "Kernel {} was loaded on device {} and is launched on device {}.",
        name_, device_.id, device.id);
  check_size(on_device ? arguments.device_block.size : arguments.block.size());
  check(
      !on_device || reads_device_blocks(), Code::kFeatureNotSupported,
      "Kernel {} binds storage buffers, whose addresses must be known before it is submitted, so its arguments cannot "
      "be in device memory; give them in host memory, or take pointers (buffer_reference).",
      name_);
  auto custom = std::make_shared<vk::CustomLaunch>();
  custom->kernel = kernel_;
  custom->device_block = arguments.device_block;
  custom->base_group = first_group(interface, attributes.get());
  // The operands of such a launch are unknown: the recorder orders it against all other commands (docs/adr/0018).
  custom->accesses_all_memory = interface.computes_addresses || (on_device && takes_addresses(interface));
  for (const auto& [at, data] : arguments.placeholders) custom->links.push_back({at, data});
  if (grid.threads[0] != 0 || grid.threads[1] != 0 || grid.threads[2] != 0) {
    check_threads(*kernel_, grid.threads);
    custom->local_size = grid.threads;
  }
  KernelTask task;
  task.name = name_;
  task.function = handle;
  task.attributes = std::move(attributes);
  task.dispatch.shader = name_;
  task.dispatch.groups = grid.blocks;
  if (!on_device) {
    OperandResolver resolver(*kernel_, arguments, device);
    resolver.resolve_all();
    task.dispatch.arguments.assign(arguments.block.data(), arguments.block.data() + arguments.block.size());
    task.dispatch.operands = std::move(resolver.operands);
    custom->addresses = std::move(resolver.addresses);
  }
  task.dispatch.custom = std::move(custom);
  device.gpu().prepare(task.dispatch);
  return task;
}

}  // namespace aclvk::runtime
