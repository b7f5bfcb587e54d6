// Constants of the kernels of a bidiagonalisation.

const uint kMaxThreads = 128;  // of a group

// The scales of a matrix: the factors that make u from its column, for even and odd steps; the factor that makes v from
// r; and tau of u.
const uint kScales = 4;
const uint kUScale = 0, kVScale = 2, kTau = 3;
