// How many operations in double precision the kernel bodies make: counted by running them with a
// number that counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "selftest/measure/counted_number.h"

namespace tocsin::selftest {

/// Arrays of an emulated device that the bodies read: core::batch's types, whose doubles are read
/// as counted numbers, which have the same bits. Pointers are to core::...
struct CountedBatch {
  const void* view = nullptr;    ///< batch::View
  const void* room = nullptr;    ///< batch::RoomView
  const void* bounds = nullptr;  ///< Box, of the room
  const void* tree = nullptr;    ///< batch::TreeView<6>
  std::size_t joints = 0;
  std::size_t links = 0;
  const std::uint32_t* near = nullptr;  ///< links
  std::size_t near_count = 0;
  const void* swept = nullptr;       ///< SweptLink, per near link
  const void* at0 = nullptr;         ///< AxisState
  const void* candidates = nullptr;  ///< batch::Candidate
  std::size_t candidate_count = 0;
  double tolerance = 1e-9;
};

/// Per body, and what was counted with it.
struct CountedBodies {
  Operations motions;    ///< of all joints
  Operations boxes;      ///< of all links
  Operations swept;      ///< of all near links
  Operations traversal;  ///< once through the tree for every near link
  Operations early_out;  ///< of all candidates
  Operations certify;    ///< of all survivors, each to the end
  std::uint64_t survivors = 0;
  std::uint64_t evaluations = 0;  ///< of certify
};

CountedBodies count_bodies(const CountedBatch& batch);

}  // namespace tocsin::selftest
