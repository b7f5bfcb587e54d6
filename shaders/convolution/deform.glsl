// The places that a deformable convolution reads, as in Deformable ConvNets v2 (Zhu et al., 2019): a tap of a window moves by an
// offset for its row and one for its column, the image is sampled there with bilinear weights, and a factor scales the sample. Elements
// outside of the image are 0. ops/convolution/deform.cpp is the host's half. A shader includes this after common/strided.glsl, and its
// arguments begin with DEFORM_ARGUMENTS.

// A tap after its move.
struct MovedTap {
  ivec2 first;    // row and column of the first of the four elements around it
  vec2 distance;  // from there to the tap, in elements
  float factor;
};

ivec2 sizes;
uvec2 strides;
ivec2 before;
uint block_step;

// Arguments are read before find_lanes().
void read_deformation() {
  sizes = ivec2(ACLVK_ARGUMENT(sizes[0]), ACLVK_ARGUMENT(sizes[1]));
  strides = uvec2(ACLVK_ARGUMENT(strides[0]), ACLVK_ARGUMENT(strides[1]));
  before = ivec2(ACLVK_ARGUMENT(before[0]), ACLVK_ARGUMENT(before[1]));
  block_step = ACLVK_ARGUMENT(block_step);
}

// Moves the coordinate `from`. Only the fraction of the offset stays a float, so that places of large images are exact. An offset that
// is NaN, infinite, or 2^30 or more leads outside of every image.
int moved(int from, float offset, out float fraction) {
  const bool near = abs(offset) < 1073741824.0;
  const float whole = near ? floor(offset) : 0.0;
  fraction = near ? offset - whole : 0.0;
  return near ? from + int(whole) : -2;
}

// `row` and `column` are those of the tap without padding.
MovedTap tap_at(uint row, uint column, float row_offset, float column_offset, float factor) {
  MovedTap tap;
  tap.first.x = moved(int(row) - before.x, row_offset, tap.distance.x);
  tap.first.y = moved(int(column) - before.y, column_offset, tap.distance.y);
  tap.factor = factor;
  return tap;
}

// Row and column of one of the four elements around a tap.
ivec2 element_around(MovedTap tap, int corner) { return tap.first + ivec2(corner >> 1, corner & 1); }

bool is_inside(ivec2 element) {
  return element.x >= 0 && element.x < sizes.x && element.y >= 0 && element.y < sizes.y;
}

// The bilinear weights of an element along both dims, and their derivatives by its coordinates.
vec2 weights_of(MovedTap tap, int corner) {
  return vec2(corner >> 1 == 0 ? 1.0 - tap.distance.x : tap.distance.x,
              (corner & 1) == 0 ? 1.0 - tap.distance.y : tap.distance.y);
}
vec2 slopes_of(int corner) { return vec2(corner >> 1 == 0 ? -1.0 : 1.0, (corner & 1) == 0 ? -1.0 : 1.0); }

// The tap of a lane. Operand k has the offsets; lanes start at that of the column. Operands `rows` and `columns` number the taps.
#define TAP_OF(k, rows, columns, lane)                                                                           \
  tap_at(lane_element(rows, lane), lane_element(columns, lane), OFFSET_IN(k, lane, 1u), OFFSET_IN(k, lane, 0u), \
           OFFSET_IN(k, lane, 2u))
#define OFFSET_IN(k, lane, block) \
  decode(element_##k(lanes.slots[k], lane_element(k, lane) + block * block_step, kSize##k), kDtype##k)
