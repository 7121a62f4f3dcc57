// A batch, piece by piece. docs/cuda.md, "Pieces overlap".
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>

#include "gpu/cuda/stages/batch_item.h"
#include "gpu/cuda/stages/piece_check.h"

namespace tocsin::cuda {

struct PiecesAsked {
  const PieceRoom& room;
  std::span<const BatchItem> items;
  PieceOptions options;
  std::stop_token stop;
  /// Pieces overlap: while the device works on one, the next are packed and copied, and the one
  /// before is answered. Else each is over before the next begins.
  bool overlap = false;
  /// How many items make up the piece that begins at this one; at least 1.
  std::function<std::size_t(std::size_t begin)> size_at;
  /// Takes what was found about `count` items from `begin` on; piece by piece, in order. By another
  /// thread if pieces overlap, but not beside `size_at`. Must not ask the device.
  std::function<void(const PieceFound& found, std::size_t begin, std::size_t count)> take;
};

/// Checks items until all are taken, or `stop` asks for an end between two pieces: false then. In
/// parallel, so the caller isolates what TBB does. Throws what PieceCheck throws; what is taken
/// stays taken.
bool check_pieces(PieceCheck& check, const PiecesAsked& asked);

}  // namespace tocsin::cuda
