// What the kernels of a bidiagonalization share.

const uint kMostThreads = 128;  // of a group

// Numbers for each matrix: by what u is multiplied, for even and odd steps, by what r is to be v, and tau of u.
const uint kScales = 4;
const uint kUScale = 0, kVScale = 2, kTau = 3;
