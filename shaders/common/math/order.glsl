// Comparisons, is_close and lerp, for each compute class. Comparisons with NaN are false.

#if COMPLEX_CLASS

T unity() { return T(R(1), R(0)); }
T truth(bool holds) { return holds ? unity() : T(0); }
T conjugate(T x) { return T(x.x, -x.y); }

// Never called: operators refuse complex numbers, which have no order.
bool less(T x, T y) { return false; }
bool at_most(T x, T y) { return false; }
bool is_close(T x, T y, T relative, T absolute) { return false; }
T lerp(T x, T y, T weight) { return x; }

#else

T unity() { return T(1); }
T truth(bool holds) { return holds ? T(1) : T(0); }
T conjugate(T x) { return x; }

#if INTEGER_CLASS

// T is signed; unsigned dtypes as wide as T are compared as U.
#if WIDE_INTEGERS
const bool kUnsignedOrder = kPromoted == kUint64;
#else
const bool kUnsignedOrder = kPromoted == kUint32;
#endif
bool less(T x, T y) { return kUnsignedOrder ? U(x) < U(y) : x < y; }
bool at_most(T x, T y) { return kUnsignedOrder ? U(x) <= U(y) : x <= y; }
bool is_close(T x, T y, T relative, T absolute) { return x == y; }
T lerp(T x, T y, T weight) { return x; }

#else

bool less(T x, T y) { return x < y; }
bool at_most(T x, T y) { return x <= y; }

bool is_close(T x, T y, T relative, T absolute) {
  precise T allowed = absolute + abs(relative * y);
  precise T distance = abs(x - y);
  return x == y || !isinf(distance) && distance <= allowed;
}

// Interpolates from the nearer end, so that a weight of 1 gives y exactly, as in PyTorch.
T lerp(T x, T y, T weight) {
  precise T distance = y - x;
  precise T from_x = x + weight * distance;
  precise T from_y = y - distance * (T(1) - weight);
  return abs(weight) < T(0.5) ? from_x : from_y;
}

#endif
#endif
