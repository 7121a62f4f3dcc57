// Pieces of a batch, from poses to contacts: what a device is asked at once. docs/cuda.md, "Stages"
// and "Pieces overlap".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/batch/layout.h"
#include "gpu/cuda/contacts/certify_stage.h"
#include "gpu/cuda/contacts/piece_result.h"
#include "gpu/cuda/contacts/shape_stage.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/stages/batch_data.h"
#include "gpu/cuda/stages/broadphase.h"
#include "gpu/cuda/stages/device_room.h"
#include "gpu/cuda/stages/kdop_bvh.h"
#include "gpu/cuda/stages/model_table.h"
#include "gpu/cuda/stages/motion_stage.h"
#include "gpu/cuda/stages/stage.h"

namespace tocsin::cuda {

/// The room that a piece is checked in.
struct PieceRoom {
  const DeviceRoom& room;
  KdopBvh& tree;
  std::size_t objects;
};

struct PieceOptions {
  double margin = 0.0;
  double tolerance = 0.0;
  std::size_t budget = 0;  ///< bytes of the device; a single link, or pair, may need more
  bool meet = false;
  unsigned traversals = 2;  ///< of Traversal
};

/// What was found about a piece: contacts with the room in order of link and object, then those of
/// links. Valid until the piece after the next begins.
struct PieceFound {
  std::span<const core::batch::ContactRecord> records;
  std::span<const core::batch::StepTally> tallies;
  const BatchData& batch;
};

/// Pieces are numbered through, and each goes through the functions in their order. Piece n + 1 may
/// be uploaded once n has begun, and n + 2 packed once n + 1 is uploaded and n - 1 needed no more.
/// So the CPU packs, copies go up and down, and the device works, all at once. Owns memory on the
/// CPU and the device that is used again. Functions throw Failure and std::bad_alloc; afterwards
/// only the destructor may be called.
class PieceCheck {
 public:
  /// How many pieces beyond the one that has begun may be packed.
  static constexpr std::size_t kPackedAhead = 2;

  /// `costs`: stages add to theirs, and pieces must not overlap; null: nothing is measured.
  PieceCheck(std::shared_ptr<Device> device, std::array<StageCost, kStages>* costs);

  /// Comes before the first piece of a batch of so many items, when no piece is under way.
  void begin_batch(std::size_t items);
  /// On the CPU alone, but for pinned memory; by any thread, while another one calls finish().
  /// Items, of which the batch's `first` is the first; with `meet`, those of one group follow each
  /// other.
  void pack(std::size_t piece, const PieceRoom& room, std::span<const BatchItem> items,
            std::size_t first, const PieceOptions& options);
  /// Does not wait.
  void upload(std::size_t piece);
  /// Starts the first stages, without waiting.
  void begin(std::size_t piece, const PieceRoom& room);
  /// All others. Once `stop` asks for it, what is found means nothing.
  void finish(std::size_t piece, const PieceRoom& room, const PieceOptions& options,
              const std::stop_token& stop);
  /// Waits for what was found.
  [[nodiscard]] PieceFound found(std::size_t piece);

 private:
  /// A piece on the CPU.
  struct Pack {
    Pack(const std::shared_ptr<Device>& device, const std::shared_ptr<ModelTable>& models)
        : batch(device, models) {}
    std::vector<BatchItem> items;
    BatchData batch;
  };
  [[nodiscard]] Pack& pack_of(std::size_t piece) { return packs_[piece % packs_.size()]; }
  [[nodiscard]] PieceResult& result_of(std::size_t piece) {
    return results_[piece % results_.size()];
  }
  /// Fills near_: links near something active.
  void find_near(const PieceRoom& room, bool has_masks);
  void check_near(const PieceRoom& room, const PieceOptions& options, const std::stop_token& stop);
  /// Those of near links, all of which have shapes, or none.
  void check_near(const PieceRoom& room, const Array<std::uint32_t>& near, bool shaped,
                  const PieceOptions& options, const std::stop_token& stop);
  void check_links(const PieceRoom& room, const std::uint32_t* near, std::size_t count, bool shaped,
                   const PieceOptions& options, const std::stop_token& stop);
  /// Fills candidates_ in one traversal; false: there were more than had room.
  bool find_at_once(const PieceRoom& room, const std::uint32_t* near, std::size_t count,
                    std::size_t most);
  /// candidates_ of these links.
  void certify_near(const PieceRoom& room, const std::uint32_t* near, std::size_t count,
                    bool shaped, const PieceOptions& options);
  void check_pairs(const PieceOptions& options, const std::stop_token& stop);
  void certify_pairs(const Array<core::batch::LinkPair>& pairs, const PieceOptions& options);
  void check_self(const BatchData& batch, const PieceOptions& options, const std::stop_token& stop);
  /// Those of `from` whose flag in flags_ is set; `count` flags.
  template <class T>
  void gather(const Array<T>& from, Array<T>& to);
  void stage(Stage stage);

  std::shared_ptr<Device> device_;
  std::array<StageCost, kStages>* costs_;
  std::shared_ptr<ModelTable> models_;
  std::array<Pack, 1 + kPackedAhead> packs_;  ///< of piece n mod 3; so on for the other two
  MotionStage motion_;
  CertifyStage certify_;
  ShapeStage shapes_;
  Broadphase broadphase_;
  std::array<PieceResult, 2> results_;
  PieceResult* result_ = nullptr;  ///< of the piece that is worked on
  Array<std::uint32_t> near_;
  Array<std::uint32_t> plain_near_;  ///< those without shapes, where some have one
  Array<std::uint32_t> shape_near_;
  Array<core::SweptLink> swept_;
  Array<core::AxisState> at0_;
  Array<std::uint64_t> offsets_;
  Array<core::batch::Candidate> candidates_;
  std::size_t appended_ = 0;  ///< of them that the last single traversal found, and some
  Array<core::batch::LinkPair> self_pairs_;
  Array<core::batch::LinkPair> near_pairs_;
  Array<core::batch::LinkPair> plain_pairs_;
  Array<core::batch::LinkPair> shape_pairs_;
  Array<std::uint8_t> flags_;
  Array<std::uint32_t> picked_;
};

}  // namespace tocsin::cuda
