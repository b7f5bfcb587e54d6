// The rows of a pair of blocks, for gram.comp and apply.comp. Rounds follow the circle method of round-robin
// tournaments: one block stays, the others rotate, and opposite ones form a pair.

const uint kBlock = 16;  // rows of a block
const uint kPair = 32;

struct Pair {
  uint first;   // the first rows of the two blocks
  uint second;  // `rows` or more where the number of blocks is odd and this one sits out the round
};

Pair pair_in(uint round, uint pair, uint rows) {
  const uint blocks = rows / kBlock;
  const uint even_blocks = blocks + (blocks & 1u);
  const uint one = pair == 0 ? even_blocks - 1 : (round + pair) % (even_blocks - 1);
  const uint other = (round + even_blocks - 1 - pair) % (even_blocks - 1);
  return Pair(min(one, other) * kBlock, max(one, other) * kBlock);
}

uint row_in(Pair pair, uint row) { return row < kBlock ? pair.first + row : pair.second + row - kBlock; }
