#include "vk_device/modules/module_reflection.hpp"

#include <algorithm>
#include <set>
#include <spirv_cross/spirv_cross.hpp>
#include <string>

#include "base/error.hpp"
#include "vk_device/modules/module_words.hpp"

namespace aclvk::vk {
namespace {

using spirv_cross::Compiler;
using spirv_cross::SPIRType;
using Kind = KernelParameter::Kind;

constexpr std::uint32_t kAddressBytes = 8;
// Limits that keep sums of offsets within 32 bits: a module may declare any 32-bit numbers.
constexpr std::uint32_t kMaxBindings = 1U << 16;
constexpr std::uint32_t kMaxBlockBytes = 1U << 30;

/// The properties of a whole module that SPIRV-Cross does not report.
struct ModuleSummary {
  std::vector<std::string> kernels;   // names of the compute entry points, in order
  std::set<std::uint32_t> blocks;     // ids of the struct types of push constants
  std::set<std::uint32_t> pointers;   // ids of the pointer types of physical storage buffers
  std::vector<std::uint32_t> shared;  // ids of the pointer types of workgroup variables
  bool computes_addresses = false;
};

std::string text_at(const std::uint32_t* words, std::size_t count) {
  const std::string all(reinterpret_cast<const char*>(words), count * sizeof(*words));
  return all.substr(0, all.find('\0'));
}

// Word 0 of an instruction is its opcode; its operands follow in the order of the SPIR-V specification.
void add_types(ModuleSummary& summary, spv::Op op, const std::uint32_t* words, std::size_t count) {
  if (op == spv::OpEntryPoint && words[1] == spv::ExecutionModelGLCompute) {
    summary.kernels.push_back(text_at(words + 3, count - 3));
  } else if (op == spv::OpTypePointer && words[2] == spv::StorageClassPushConstant) {
    summary.blocks.insert(words[3]);
  } else if (op == spv::OpTypePointer && words[2] == spv::StorageClassPhysicalStorageBuffer) {
    summary.pointers.insert(words[1]);
  } else if (op == spv::OpVariable && words[3] == spv::StorageClassWorkgroup) {
    summary.shared.push_back(words[1]);
  }
}

// Returns true when the module gets addresses from anywhere but the argument block: it converts numbers, or declares
// memory that holds pointers.
bool computes_addresses(const ModuleSummary& summary, spv::Op op, const std::uint32_t* words, std::size_t count) {
  const auto is_pointer = [&](std::uint32_t type) { return summary.pointers.count(type) != 0; };
  switch (op) {
    case spv::OpConvertUToPtr: return true;
    case spv::OpBitcast: return is_pointer(words[1]);
    case spv::OpTypeArray:
    case spv::OpTypeRuntimeArray: return is_pointer(words[2]);
    case spv::OpTypeStruct:
      return summary.blocks.count(words[1]) == 0 && std::any_of(words + 2, words + count, is_pointer);
    default: return false;
  }
}

ModuleSummary summary_of(const std::vector<std::uint32_t>& words) {
  ModuleSummary summary;
  for_each_instruction(words,
                       [&](spv::Op op, const std::uint32_t* at, std::size_t n) { add_types(summary, op, at, n); });
  // A second pass, because a struct may contain a pointer type that is declared after it (OpTypeForwardPointer).
  for_each_instruction(words, [&](spv::Op op, const std::uint32_t* at, std::size_t n) {
    summary.computes_addresses |= computes_addresses(summary, op, at, n);
  });
  return summary;
}

/// Returns true for a physical pointer and for an array of them.
bool is_address(const SPIRType& type) { return type.pointer && type.storage == spv::StorageClassPhysicalStorageBuffer; }

bool is_pointer(const SPIRType& type) { return is_address(type) && type.array.empty(); }

bool is_word64(const SPIRType& type) {
  const bool one_word = type.width == 64 && type.vecsize == 1 && type.columns == 1;
  const bool two_words = type.basetype == SPIRType::UInt && type.width == 32 && type.vecsize == 2 && type.columns == 1;
  const bool integer = type.basetype == SPIRType::UInt64 || type.basetype == SPIRType::Int64;
  return type.array.empty() && ((integer && one_word) || two_words);
}

// GLSL's `readonly` and `writeonly` decorate the members of the struct to which the pointer points.
Access access_of(const Compiler& compiler, std::uint32_t struct_id) {
  const SPIRType& type = compiler.get_type(struct_id);
  const auto all = [&](spv::Decoration decoration) {
    for (std::uint32_t i = 0; i < type.member_types.size(); ++i) {
      if (!compiler.has_member_decoration(struct_id, i, decoration)) return false;
    }
    return !type.member_types.empty();
  };
  if (type.basetype != SPIRType::Struct) return Access::kReadWrite;
  if (all(spv::DecorationNonWritable)) return Access::kRead;
  return all(spv::DecorationNonReadable) ? Access::kWrite : Access::kReadWrite;
}

KernelParameter member(const Compiler& compiler, const spirv_cross::Resource& block, std::uint32_t index,
                       std::uint32_t slots) {
  const SPIRType& type = compiler.get_type(block.base_type_id);
  const SPIRType& own = compiler.get_type(type.member_types[index]);
  const std::uint64_t offset = compiler.type_struct_member_offset(type, index);
  const std::uint64_t bytes = compiler.get_declared_struct_member_size(type, index);
  check(offset <= kMaxBlockBytes && bytes <= kMaxBlockBytes, Code::kFeatureNotSupported,
        "The push constants have {} bytes at offset {}; a block has {} at most.", bytes, offset, kMaxBlockBytes);
  KernelParameter parameter;
  parameter.name = compiler.get_member_name(block.base_type_id, index);
  parameter.offset = slots + static_cast<std::uint32_t>(offset);
  parameter.bytes = static_cast<std::uint32_t>(bytes);
  if (is_pointer(own)) {
    parameter.kind = Kind::kPointer;
    parameter.access = access_of(compiler, own.parent_type);
  } else if (is_word64(own)) {
    parameter.kind = Kind::kWord64;
  }
  return parameter;
}

KernelParameter buffer(const Compiler& compiler, const spirv_cross::Resource& resource, const std::string& kernel) {
  const std::uint32_t set = compiler.get_decoration(resource.id, spv::DecorationDescriptorSet);
  const std::uint32_t binding = compiler.get_decoration(resource.id, spv::DecorationBinding);
  check(set == 0, Code::kFeatureNotSupported, "Kernel {} has the buffer {} in set {}; buffers belong to set 0.", kernel,
        resource.name, set);
  check(compiler.get_type(resource.type_id).array.empty(), Code::kFeatureNotSupported,
        "Kernel {} has an array of buffers, {}; each buffer is a parameter of its own.", kernel, resource.name);
  check(binding < kMaxBindings, Code::kFeatureNotSupported,
        "Kernel {} has the buffer {} at binding {}; {} is the last.", kernel, resource.name, binding, kMaxBindings - 1);
  const auto flags = compiler.get_buffer_block_flags(resource.id);
  KernelParameter parameter;
  parameter.name = compiler.get_name(resource.id).empty() ? resource.name : compiler.get_name(resource.id);
  parameter.offset = binding * kAddressBytes;
  parameter.bytes = kAddressBytes;
  parameter.kind = Kind::kBuffer;
  if (flags.get(spv::DecorationNonWritable)) parameter.access = Access::kRead;
  return parameter;
}

void check_resources(const spirv_cross::ShaderResources& resources, const std::string& kernel) {
  const auto none = [&](const auto& list, const char* what) {
    check(list.empty(), Code::kFeatureNotSupported,
          "Kernel {} has {}, {}; kernels take push constants and storage buffers.", kernel, what,
          list.empty() ? "" : list[0].name);
  };
  none(resources.uniform_buffers, "a uniform buffer");
  none(resources.sampled_images, "an image");
  none(resources.separate_images, "an image");
  none(resources.storage_images, "an image");
  none(resources.separate_samplers, "a sampler");
  none(resources.atomic_counters, "an atomic counter");
  none(resources.acceleration_structures, "an acceleration structure");
}

std::uint32_t array_length(const Compiler& compiler, const SPIRType& type, std::size_t dimension) {
  const std::uint32_t size = type.array[dimension];
  return type.array_size_literal[dimension] ? size : compiler.get_constant(size).scalar();
}

/// Returns the size of a type, at most UINT32_MAX. A pointer counts as 8 bytes: its target is not part of the type, and
/// may contain the type itself.
std::uint64_t bytes_of(const Compiler& compiler, const SPIRType& type) {
  std::uint64_t bytes = 0;
  if (is_address(type)) {
    bytes = kAddressBytes;
  } else if (type.basetype == SPIRType::Struct) {
    for (const std::uint32_t id : type.member_types) bytes += bytes_of(compiler, compiler.get_type(id));
  } else {
    bytes = std::uint64_t{std::max(type.width, 8U) / 8} * type.vecsize * type.columns;
  }
  for (std::size_t i = 0; i < type.array.size(); ++i) {
    bytes = std::min<std::uint64_t>(bytes, UINT32_MAX) * array_length(compiler, type, i);
  }
  return std::min<std::uint64_t>(bytes, UINT32_MAX);
}

// With several entry points the variables cannot be attributed without walking the call graph, so the limit is checked
// for single ones only.
std::uint32_t shared_bytes(const Compiler& compiler, const ModuleSummary& summary) {
  if (summary.kernels.size() > 1) return 0;
  std::uint64_t bytes = 0;
  for (const std::uint32_t type : summary.shared) bytes += bytes_of(compiler, compiler.get_type(type));
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, UINT32_MAX));
}

void read_local_size(Compiler& compiler, KernelInterface& kernel) {
  spirv_cross::SpecializationConstant constants[3];
  compiler.get_work_group_size_specialization_constants(constants[0], constants[1], constants[2]);
  for (std::uint32_t i = 0; i < 3; ++i) {
    kernel.local_size[i] = compiler.get_execution_mode_argument(spv::ExecutionModeLocalSize, i);
    if (constants[i].id == spirv_cross::ConstantID(0)) continue;
    kernel.local_size_ids[i] = constants[i].constant_id;
    kernel.local_size[i] = compiler.get_constant(constants[i].id).scalar();
  }
}

KernelInterface read_kernel(Compiler& compiler, const ModuleSummary& summary, const std::string& name) {
  compiler.set_entry_point(name, spv::ExecutionModelGLCompute);
  const auto resources = compiler.get_shader_resources(compiler.get_active_interface_variables());
  check_resources(resources, name);
  KernelInterface kernel;
  kernel.name = name;
  kernel.computes_addresses = summary.computes_addresses;
  kernel.shared_bytes = shared_bytes(compiler, summary);
  read_local_size(compiler, kernel);
  for (const auto& resource : resources.storage_buffers) {
    kernel.parameters.push_back(buffer(compiler, resource, name));
    kernel.buffers = std::max(kernel.buffers, kernel.parameters.back().offset / kAddressBytes + 1);
  }
  std::sort(kernel.parameters.begin(), kernel.parameters.end(),
            [](const auto& a, const auto& b) { return a.offset < b.offset; });
  if (!resources.push_constant_buffers.empty()) {
    const auto& block = resources.push_constant_buffers[0];
    const auto members = static_cast<std::uint32_t>(compiler.get_type(block.base_type_id).member_types.size());
    for (std::uint32_t i = 0; i < members; ++i) {
      kernel.parameters.push_back(member(compiler, block, i, kernel.slot_bytes()));
      const KernelParameter& last = kernel.parameters.back();
      kernel.block_bytes = std::max(kernel.block_bytes, last.offset + last.bytes - kernel.slot_bytes());
    }
  }
  return kernel;
}

}  // namespace

std::vector<KernelInterface> reflect(const std::vector<std::uint32_t>& words) {
  const ModuleSummary summary = summary_of(words);
  check(!summary.kernels.empty(), Code::kParamInvalid, "The SPIR-V module has no compute entry point.");
  try {
    Compiler compiler(words);
    std::vector<KernelInterface> kernels;
    for (const std::string& name : summary.kernels) kernels.push_back(read_kernel(compiler, summary, name));
    return kernels;
  } catch (const spirv_cross::CompilerError& error) {
    fail(Code::kFeatureNotSupported, "The SPIR-V module is valid, but its parameters cannot be read: {}", error.what());
  }
}

std::vector<std::string> kernel_names(const std::vector<std::uint32_t>& words) { return summary_of(words).kernels; }

}  // namespace aclvk::vk
