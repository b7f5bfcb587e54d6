// Shifts and the greatest common divisor, for the classes i32, i64 and i64f.

// The number of bits of kPromoted.
uint bits_of_promoted() {
  return kPromoted == kInt8 || kPromoted == kUint8     ? 8u
         : kPromoted == kInt16 || kPromoted == kUint16 ? 16u
         : kPromoted == kInt64 || kPromoted == kUint64 ? 64u
                                                       : 32u;
}

// Returns true for a negative distance and for one of at least the dtype's bits: all bits are shifted out. GLSL leaves such shifts
// undefined.
bool moves_all(T distance) { return distance < T(0) || distance >= T(bits_of_promoted()); }

T shift_left(T x, T distance) { return moves_all(distance) ? T(0) : x << (moves_all(distance) ? T(0) : distance); }

// Arithmetic shift for signed dtypes: a distance that is too large leaves only the sign.
T shift_right(T x, T distance) {
#if WIDE_INTEGERS
  const T most = T(63);
#else
  const T most = T(31);
#endif
  const T inside = moves_all(distance) ? most : distance;
  const T of_unsigned = moves_all(distance) ? T(0) : T(U(x) >> U(inside));
  return kUnsignedOrder ? of_unsigned : x >> inside;
}

// Euclid's algorithm in unsigned integers, because the magnitude of the lowest T does not fit into T.
T greatest_common_divisor(T x, T y) {
  U larger = x < T(0) ? U(0) - U(x) : U(x);
  U smaller = y < T(0) ? U(0) - U(y) : U(y);
  while (smaller != U(0)) {  // iterations: Euclid's, at most 91 for 64 bits
    const U rest = larger % smaller;
    larger = smaller;
    smaller = rest;
  }
  return T(larger);
}
