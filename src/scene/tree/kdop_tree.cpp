#include "scene/tree/kdop_tree-inl.h"

namespace tocsin::scene {

template class KdopTree<6, 8>;

}  // namespace tocsin::scene
