#include "ops/dtype.hpp"

#include <fmt/format.h>

#include <array>

namespace aclvk::ops {
namespace {

struct Facts {
  DType dtype;
  const char* name;
  std::size_t bytes;
  Kind kind;
};

constexpr Facts kFacts[] = {
#define DTYPE(member, name, value, bytes, kind) {DType::member, #name, bytes, Kind::kind},
#include "ops/dtype.def"
#undef DTYPE
};

constexpr std::size_t kValues = 64;

/// The places in kFacts, by the value of the dtype; -1 for numbers that are none.
constexpr auto kPlaces = [] {
  std::array<std::int8_t, kValues> places{};
  for (std::int8_t& place : places) place = -1;
  std::int8_t next = 0;
  for (const Facts& facts : kFacts) places[static_cast<std::size_t>(facts.dtype)] = next++;
  return places;
}();

const Facts* find_facts(DType dtype) {
  const auto value = static_cast<std::size_t>(dtype);
  return value < kValues && kPlaces[value] >= 0 ? &kFacts[kPlaces[value]] : nullptr;
}

}  // namespace

std::size_t size_of(DType dtype) {
  const Facts* facts = find_facts(dtype);
  return facts ? facts->bytes : 0;
}

Kind kind_of(DType dtype) {
  const Facts* facts = find_facts(dtype);
  return facts ? facts->kind : Kind::kOther;
}

std::string name_of(DType dtype) {
  const Facts* facts = find_facts(dtype);
  return facts ? facts->name : fmt::format("dtype {}", static_cast<int>(dtype));
}

bool is_wide(DType dtype) { return size_of(dtype) == (kind_of(dtype) == Kind::kComplex ? 16U : 8U); }

bool is_unsigned_wide(DType dtype) {
  return dtype == DType::kUint16 || dtype == DType::kUint32 || dtype == DType::kUint64;
}

std::string DTypeSet::text() const {
  std::string text;
  for (const Facts& facts : kFacts) {
    if (contains(facts.dtype)) text += (text.empty() ? "" : ", ") + std::string(facts.name);
  }
  return text;
}

}  // namespace aclvk::ops
