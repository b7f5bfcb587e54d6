// Which rows a pair of blocks has, for the kernels of a singular value decomposition in blocks (svd_gram.comp, svd_apply.comp). The
// blocks sit around a table and move on from round to round, but for one; those opposite of each other are a pair.

const uint kBlock = 16;  // rows
const uint kPair = 32;

struct Pair {
  uint first;   // the first rows of its blocks
  uint second;  // `rows` or more: there is none
};

Pair pair_in(uint round, uint pair, uint rows) {
  const uint blocks = rows / kBlock;
  const uint even_blocks = blocks + (blocks & 1u);
  const uint one = pair == 0 ? even_blocks - 1 : (round + pair) % (even_blocks - 1);
  const uint other = (round + even_blocks - 1 - pair) % (even_blocks - 1);
  return Pair(min(one, other) * kBlock, max(one, other) * kBlock);
}

uint row_in(Pair pair, uint row) { return row < kBlock ? pair.first + row : pair.second + row - kBlock; }
