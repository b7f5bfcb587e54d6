#include "elf_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

namespace cli {
namespace {

/// A memory-mapped file: libraries are large, and only a small part of them is read.
class Mapped {
 public:
  explicit Mapped(const std::filesystem::path& path) : path_(path.string()) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
      if (file >= 0) close(file);
      throw std::runtime_error(path_ + " cannot be read.");
    }
    size_ = static_cast<std::size_t>(status.st_size);
    void* mapped = size_ > 0 ? mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
    close(file);
    if (mapped == MAP_FAILED) throw std::runtime_error(path_ + " cannot be mapped.");
    bytes_ = static_cast<const char*>(mapped);
  }
  ~Mapped() {
    if (size_ > 0) munmap(const_cast<char*>(bytes_), size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  std::size_t size() const { return size_; }

  template <typename T>
  T at(std::uint64_t offset) const {
    if (offset > size_ || size_ - offset < sizeof(T)) fail_truncated();
    T value;
    std::memcpy(&value, bytes_ + offset, sizeof(T));
    return value;
  }

  std::string text(std::uint64_t offset) const {
    if (offset >= size_) fail_truncated();
    return std::string(bytes_ + offset, strnlen(bytes_ + offset, size_ - offset));
  }

 private:
  [[noreturn]] void fail_truncated() const {
    throw std::runtime_error(path_ + " is cut off: it points past its own end.");
  }

  std::string path_;
  std::size_t size_ = 0;
  const char* bytes_ = nullptr;
};

bool is_elf64(const Mapped& file) {
  if (file.size() < sizeof(Elf64_Ehdr)) return false;
  const auto header = file.at<Elf64_Ehdr>(0);
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_ident[EI_DATA] == ELFDATA2LSB;
}

// The first symbol of a table is the null symbol.
void read_symbols(const Mapped& file, const Elf64_Shdr& section, std::uint64_t names, ElfFile& elf) {
  for (std::uint64_t at = sizeof(Elf64_Sym); at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
    const auto symbol = file.at<Elf64_Sym>(section.sh_offset + at);
    const unsigned binding = ELF64_ST_BIND(symbol.st_info);
    if (binding == STB_LOCAL) continue;
    const std::string name = file.text(names + symbol.st_name);
    if (symbol.st_shndx != SHN_UNDEF) {
      elf.defined.emplace(name, binding == STB_WEAK ? Binding::kWeak : Binding::kStrong);
    } else if (binding != STB_WEAK) {
      elf.undefined.insert(name);
    }
  }
}

void read_needed(const Mapped& file, const Elf64_Shdr& section, std::uint64_t names, ElfFile& elf) {
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= section.sh_size; at += sizeof(Elf64_Dyn)) {
    const auto entry = file.at<Elf64_Dyn>(section.sh_offset + at);
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) elf.needed.push_back(file.text(names + entry.d_un.d_val));
  }
}

}  // namespace

// Reads sections, not segments: sh_link of a section names its string table.
std::optional<ElfFile> read_elf(const std::filesystem::path& path) {
  const Mapped file(path);
  if (!is_elf64(file)) return std::nullopt;
  ElfFile elf;
  const auto header = file.at<Elf64_Ehdr>(0);
  const auto section_at = [&](std::uint64_t index) {
    return file.at<Elf64_Shdr>(header.e_shoff + index * sizeof(Elf64_Shdr));
  };
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr section = section_at(i);
    if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_DYNAMIC) continue;
    const std::uint64_t names = section_at(section.sh_link).sh_offset;
    section.sh_type == SHT_DYNSYM ? read_symbols(file, section, names, elf) : read_needed(file, section, names, elf);
  }
  return elf;
}

}  // namespace cli
