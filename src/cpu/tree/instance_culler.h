// The CPU's culler of a scene: a tree of objects' boxes, below it each mesh's own tree, once for
// all its instances. Paper 003, section 4.2.
#pragma once

#include <memory>

#include "cpu/tree/tree_culler.h"
#include "scene/instance/instances.h"

namespace tocsin::cpu {

/// Answers as the tree of the flat room does: the same candidates, the same distances. Precondition
/// of clusters() and refitted(): there are none; both throw std::logic_error.
std::unique_ptr<TreeCuller> make_instance_culler(std::shared_ptr<const scene::Instances> instances);

}  // namespace tocsin::cpu
