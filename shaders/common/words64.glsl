// Arithmetic of 64-bit integers as two 32-bit words, low word first, for devices without shaderInt64.

uvec2 add64(uvec2 x, uvec2 y) {
  uint carry;
  const uint low = uaddCarry(x.x, y.x, carry);
  return uvec2(low, x.y + y.y + carry);
}

uvec2 sub64(uvec2 x, uvec2 y) {
  uint borrow;
  const uint low = usubBorrow(x.x, y.x, borrow);
  return uvec2(low, x.y - y.y - borrow);
}

bool less64(uvec2 x, uvec2 y) { return x.y < y.y || (x.y == y.y && x.x < y.x); }
bool less64_signed(uvec2 x, uvec2 y) { return less64(uvec2(x.x, x.y ^ 0x80000000u), uvec2(y.x, y.y ^ 0x80000000u)); }

// The upper 64 bits of the 128-bit product.
uvec2 multiply_high64(uvec2 x, uvec2 y) {
  uint high00, low00, high01, low01, high10, low10, high11, low11, carry;
  umulExtended(x.x, y.x, high00, low00);
  umulExtended(x.x, y.y, high01, low01);
  umulExtended(x.y, y.x, high10, low10);
  umulExtended(x.y, y.y, high11, low11);
  uvec2 middle = add64(uvec2(high00, 0u), uvec2(low01, 0u));
  middle = add64(middle, uvec2(low10, 0u));
  uvec2 high = add64(uvec2(low11, high11), uvec2(high01, 0u));
  high = add64(high, uvec2(high10, 0u));
  return add64(high, uvec2(middle.y, 0u));
}

// The lower 64 bits of the product.
uvec2 multiply_low64(uvec2 x, uvec2 y) {
  uint high, low;
  umulExtended(x.x, y.x, high, low);
  return uvec2(low, high + x.x * y.y + x.y * y.x);
}

// floor(x * y / 2^128) for a 128-bit x.
uvec2 multiply_top64(uvec4 x, uvec2 y) {
  const uvec2 lower = multiply_low64(x.zw, y);
  const uvec2 sum = add64(lower, multiply_high64(x.xy, y));
  return add64(multiply_high64(x.zw, y), uvec2(less64(sum, lower) ? 1u : 0u, 0u));
}
