#include "ops/tensor/formats.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace aclvk::ops {
namespace {

struct Format {
  int number;
  std::string_view name;
  bool plain;
};

constexpr std::array<Format, 20> kFormats = {{
    {-1, "UNDEFINED", true},
    {0, "NCHW", true},
    {1, "NHWC", true},
    {2, "ND", true},
    {3, "NC1HWC0", false},
    {4, "FRACTAL_Z", false},
    {12, "NC1HWC0_C04", false},
    {16, "HWCN", true},
    {27, "NDHWC", true},
    {29, "FRACTAL_NZ", false},
    {30, "NCDHW", true},
    {32, "NDC1HWC0", false},
    {33, "FRACTAL_Z_3D", false},
    {35, "NC", true},
    {47, "NCL", true},
    {50, "FRACTAL_NZ_C0_16", false},
    {51, "FRACTAL_NZ_C0_32", false},
    {52, "FRACTAL_NZ_C0_2", false},
    {53, "FRACTAL_NZ_C0_4", false},
    {54, "FRACTAL_NZ_C0_8", false},
}};

const Format* find(int number) {
  for (const Format& format : kFormats) {
    if (format.number == number) return &format;
  }
  return nullptr;
}

}  // namespace

bool is_plain_format(int format) {
  if (format == 2) return true;
  const Format* const known = find(format);
  return known && known->plain;
}

std::string format_text(int format) {
  const Format* const known = find(format);
  return known ? std::string(known->name) : fmt::format("{}, which is none of aclFormat", format);
}

}  // namespace aclvk::ops
