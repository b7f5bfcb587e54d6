#include "runtime/kernel/function.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/process_state.hpp"
#include "runtime/device/device.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::size_t kAddressBytes = sizeof(std::uint64_t);

// The widest access of a kernel in bytes. The shader variant was chosen for the alignment of the original addresses, so
// that other addresses need at least the same alignment.
constexpr std::uint64_t kWidestAccess = 32;

std::uint32_t product(const std::array<std::uint32_t, 3>& groups) { return groups[0] * groups[1] * groups[2]; }

// The lowest set bit of the address.
std::uint64_t alignment_of(std::uint64_t address) {
  return address == 0 ? kWidestAccess : std::min(kWidestAccess, address & (~address + 1));
}

void check_alignment(const KernelTask& kernel, std::uint64_t address, std::uint64_t captured) {
  check(alignment_of(address) >= alignment_of(captured), Code::kParamInvalid,
        "{} was launched for an operand at a multiple of {}; 0x{:x} is none.", kernel.name, alignment_of(captured),
        address);
}

}  // namespace

std::size_t OperatorFunction::argument_bytes() const {
  return kernel_.dispatch.operands.size() * kAddressBytes + kernel_.dispatch.arguments.size();
}

void OperatorFunction::check_size(std::size_t bytes) const {
  check(bytes == argument_bytes(), Code::kParamInvalid, "argsSize is {}; {} takes {} bytes.", bytes, kernel_.name,
        argument_bytes());
}

bool OperatorFunction::runs(const KernelTask& kernel) const {
  const vk::Dispatch& mine = kernel_.dispatch;
  const vk::Dispatch& other = kernel.dispatch;
  return !other.custom && mine.shader == other.shader && mine.constants == other.constants &&
         mine.groups == other.groups && mine.arguments.size() == other.arguments.size() &&
         std::equal(mine.operands.begin(), mine.operands.end(), other.operands.begin(), other.operands.end(),
                    [](const auto& a, const auto& b) { return a.range.size == b.range.size && a.access == b.access; });
}

std::vector<std::byte> Function::pack(const KernelTask& kernel) {
  const vk::Dispatch& dispatch = kernel.dispatch;
  if (dispatch.custom) return {dispatch.arguments.begin(), dispatch.arguments.end()};
  std::vector<std::byte> block(dispatch.operands.size() * kAddressBytes + dispatch.arguments.size());
  std::byte* at = block.data();
  for (const vk::DispatchOperand& operand : dispatch.operands) {
    const std::uint64_t address = operand.range.address();
    std::memcpy(at, &address, kAddressBytes);
    at += kAddressBytes;
  }
  std::copy(dispatch.arguments.begin(), dispatch.arguments.end(), at);
  return block;
}

std::vector<Parameter> OperatorFunction::parameters() const {
  fail(Code::kParamInvalid, "{} is a kernel of the library; its parameters are not described.", kernel_.name);
}

KernelTask OperatorFunction::launch(const KernelArguments& arguments, const Grid& grid,
                                    std::shared_ptr<const LaunchAttributes> attributes, const Device& device) const {
  check(!arguments.device_block.buffer && arguments.placeholders.empty(), Code::kFeatureNotSupported,
        "{} is a kernel of the library; it takes its arguments from host memory, without placeholders.", kernel_.name);
  check(grid.blocks[1] == 1 && grid.blocks[2] == 1 && grid.threads[0] == 0, Code::kFeatureNotSupported,
        "{} is a kernel of the library; only its number of blocks can be given.", kernel_.name);
  KernelTask kernel = with(arguments.block, grid.blocks[0], device);
  kernel.attributes = std::move(attributes);
  return kernel;
}

KernelTask OperatorFunction::with(const std::vector<std::byte>& arguments, std::uint32_t blocks,
                                  const Device& device) const {
  check_size(arguments.size());
  KernelTask kernel = kernel_;
  const std::byte* at = arguments.data();
  for (vk::DispatchOperand& operand : kernel.dispatch.operands) {
    std::uint64_t address = 0;
    std::memcpy(&address, at, kAddressBytes);
    at += kAddressBytes;
    const auto range = device.find(reinterpret_cast<const void*>(address), operand.range.size);
    check(range.has_value(), Code::kParamInvalid,
          "{} touches {} bytes at 0x{:x}, which are not inside a live device allocation.", kernel.name,
          operand.range.size, address);
    check_alignment(kernel, address, operand.range.address());
    operand.range = *range;
  }
  std::copy(at, arguments.data() + arguments.size(), kernel.dispatch.arguments.begin());
  kernel.dispatch.copies = false;  // other scalars or blocks may make it more than a copy
  // Only the size of a one-dimensional grid can change: the interface passes a single number of blocks.
  auto& groups = kernel.dispatch.groups;
  const bool flat = groups[1] == 1 && groups[2] == 1;
  check(blocks == product(groups) || (flat && blocks > 0), Code::kParamInvalid, "numBlocks is {}; {} runs with {}.",
        blocks, kernel.name, product(groups));
  if (flat) groups[0] = blocks;
  return kernel;
}

FunctionHandles& function_handles() { return ProcessState<FunctionHandles, StateId::kFunctionHandles>::get(); }

}  // namespace aclvk::runtime
