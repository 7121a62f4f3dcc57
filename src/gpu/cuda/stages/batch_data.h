// From avatars and their steps to the arrays of a batch (core/batch/layout.h), on the CPU.
// docs/cuda.md, "What a batch is".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "core/batch/layout.h"
#include "core/bounds/box.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/device/event.h"
#include "gpu/cuda/device/pinned_array.h"
#include "gpu/cuda/stages/batch_item.h"
#include "gpu/cuda/stages/index_table.h"
#include "gpu/cuda/stages/mask_finder.h"
#include "gpu/cuda/stages/model_table.h"
#include "tocsin/motion.h"

namespace tocsin::cuda {

/// The arrays of core::batch::View in the CPU's memory, but for those that a device makes itself
/// (MotionStage). Memory, and the models of avatars, are used again from batch to batch; neither
/// shows in what is there. For one thread at a time.
class BatchData {
  bool owns_models_;
  std::shared_ptr<ModelTable> table_;

 public:
  /// With a device, what it copies is laid out where it copies from fastest; set() then waits until
  /// it has: see copies_given(). `table`: shared by those who are set one after the other, and
  /// whose owner calls ModelTable::forget_spare(); null: an own one.
  explicit BatchData(std::shared_ptr<Device> device = nullptr,
                     std::shared_ptr<ModelTable> table = nullptr)
      : owns_models_(table == nullptr),
        table_(owns_models_ ? std::make_shared<ModelTable>() : std::move(table)),
        models(*table_),
        poses(device),
        steps(device),
        groups(device),
        masks(device),
        self_pairs(device),
        device_(std::move(device)),
        copied_(device_) {}

  /// Items of one group need not follow each other; groups are 0 ... below `groups`. `objects`: of
  /// the room. In parallel where that pays. Throws std::bad_alloc, and Failure: kMemory if
  /// something cannot be counted in 32 bits (a smaller batch can), or no fast memory is left.
  /// After a throw set() may be called again. `first`: the place of the first item in a batch of
  /// which these are a piece.
  void set(std::span<const BatchItem> items, std::uint32_t groups, std::size_t objects,
           double margin, std::size_t first = 0);

  /// Said by whoever lets the device copy from here, once all copies are given to Stream::kUp. What
  /// else reads pinned memory here, self_pairs, must have been waited for.
  void copies_given() {
    if (device_) copied_.record(Stream::kUp);
  }
  /// Returns once these copies are done. After that, set() asks the device for nothing but pinned
  /// memory, and may run beside other work of it.
  void wait_for_copies() { copied_.wait(); }

  /// How many bytes a device needs for such an item's arrays at most, those of this class and of
  /// MotionStage, with boxes, flags and sort keys of broadphase and selection; not what is made of
  /// near links, candidates and pairs. objects: of the room, for tables of inactive pairs.
  [[nodiscard]] static std::size_t bytes_of(const BatchItem& item, std::size_t objects = 0);

  ModelTable& models;
  PinnedArray<Transform> poses;  ///< a pose in which one step ends and another begins: once
  PinnedArray<core::batch::BatchStep> steps;
  PinnedArray<core::batch::Group> groups;
  base::LargeArray<std::uint32_t> step_of_link;
  PinnedArray<std::uint8_t> masks;                ///< each table once
  PinnedArray<core::batch::LinkPair> self_pairs;  ///< of the batch's links, in order
  std::uint32_t joint_count = 0;
  double margin = 0.0;

 private:
  /// What is known of an item before anything is laid out.
  struct Known {
    const Transform* pose0 = nullptr;
    const Transform* pose1 = nullptr;
    std::uint64_t hash = 0;  ///< of a model that was not guessed
    core::Box refs;          ///< around its roots' refs
  };
  void lay_out(std::span<const BatchItem> items, std::uint32_t groups, std::size_t objects);
  void guess_models(std::span<const BatchItem> items);
  void guess_model(const BatchItem& item, std::size_t i);
  void find_models(std::span<const BatchItem> items);
  void find_refs();
  void number(std::span<const BatchItem> items, std::uint32_t group_count);
  void place_masks(std::span<const BatchItem> items, std::size_t objects);
  void place_poses();
  void fill(std::span<const BatchItem> items);

  std::shared_ptr<Device> device_;
  Event copied_;
  std::vector<Known> known_;
  std::span<std::uint32_t> model_of_;  ///< per item, while it is set; of the last batch before
  /// Which poses are copied: those that no item before has.
  struct Copy {
    const Transform* from = nullptr;
    std::uint32_t to = 0;
    std::uint32_t model = 0;
  };
  std::vector<Copy> copies_;
  std::vector<std::size_t> first_pair_;  ///< per item, into self_pairs
  MaskFinder mask_finder_;
  std::vector<std::size_t> tables_;  ///< the first item of every table of inactive pairs
  IndexTable step_of_end_;           ///< by pose1 and model
};

}  // namespace tocsin::cuda
