// The planes of factors that factors.comp makes and channel_map.comp applies:
// dy_factor * dy + x_factor * (x - mean) + constant.

const uint kDyFactor = 0;
const uint kXFactor = 1;
const uint kMeanFactor = 2;
const uint kConstantFactor = 3;
