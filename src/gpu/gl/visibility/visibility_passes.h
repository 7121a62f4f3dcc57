// The passes of the visibility test over one chunk: what is to be drawn, skins into an atlas, the
// room against it, and the answers. docs/gl.md, "The visibility test".
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "gpu/gl/context/objects.h"
#include "gpu/gl/visibility/conservative_raster.h"
#include "gpu/gl/visibility/depth_atlas.h"
#include "gpu/gl/visibility/device_room.h"
#include "gpu/gl/visibility/visibility_chunk.h"
#include "gpu/gl/visibility/visibility_queries.h"

namespace tocsin::gl {

/// A buffer whose memory is used again from chunk to chunk.
class GrowingBuffer {
 public:
  /// Makes it hold at least this many bytes. What it held is lost if it grows.
  void reserve(std::size_t bytes);
  /// `more`: behind the contents, the control's.
  template <class T>
  void set(std::span<const T> contents, std::span<const T> more = {}) {
    reserve(contents.size_bytes() + more.size_bytes());
    buffer_.write(contents);
    buffer_.write(more, contents.size_bytes());
  }
  [[nodiscard]] const Buffer& buffer() const { return buffer_; }
  void bind(Binding binding) const { buffer_.bind(GL_SHADER_STORAGE_BUFFER, binding); }

 private:
  Buffer buffer_;
};

/// On the device's thread only.
class VisibilityPasses {
 public:
  struct Settings {
    TileGrid grid;
    RasterWay way = RasterWay::kShader;
    Method method = Method::kFlags;
    bool all_views = false;
  };

  VisibilityPasses() = default;
  /// Errors: kUnavailable, the driver refuses the shaders; kResource.
  static Result<VisibilityPasses> create(const Settings& settings);

  /// Answers all pairs of the chunk. Precondition: seen.size() == chunk.pairs.size(). Errors:
  /// kResource; among them that the control, which every chunk has behind its own slabs and pairs,
  /// was not seen.
  Status run(const Chunk& chunk, const DeviceRoom& room, std::span<Seen> seen);

  /// Gives back what chunks took: after an error, before a smaller chunk. Memory that was refused
  /// must not pass for memory that is there.
  void release();

  /// The steps of run(), for tests of what is drawn: upload; draw all skins of the chunk and read
  /// the atlas. Errors: kResource.
  Status load(const Chunk& chunk);
  std::vector<std::array<float, 2>> skin_depths(const Chunk& chunk, int view);
  /// The same of the room's triangles, pair by pair into the tiles of their slabs. Errors:
  /// kUnavailable.
  Result<std::vector<std::array<float, 2>>> room_depths(const Chunk& chunk, const DeviceRoom& room,
                                                        int view);
  /// Which slabs the last view of run() drew. For tests.
  [[nodiscard]] std::vector<bool> drawn_slabs(const Chunk& chunk) const;

 private:
  /// `pairs`: those of the chunk, with the control's or without.
  void gather(const DeviceRoom& room, int view, std::size_t pairs);
  void retire(int view, std::size_t pairs);
  void idle_skins();
  void draw_skins(const Chunk& chunk, int view);
  void compare(const Chunk& chunk, const DeviceRoom& room, int view, std::size_t pairs);
  void bind_room(const DeviceRoom& room) const;
  void bind_program(const Program& program, const Chunk& chunk, int view) const;
  [[nodiscard]] Status read(std::vector<Seen>& seen) const;
  void read_flags(std::span<Seen> seen) const;

  Settings settings_;
  DepthAtlas atlas_;
  Program gather_;
  Program retire_;
  Program skin_program_;
  Program room_program_;
  VertexArray numbers_;  // 0, 1, 2, ... per instance
  Buffer number_buffer_;
  GrowingBuffer skin_;
  GrowingBuffer slabs_;
  GrowingBuffer pairs_;
  GrowingBuffer list_;
  GrowingBuffer pair_commands_;
  GrowingBuffer idle_skin_commands_;
  GrowingBuffer skin_commands_;
  GrowingBuffer seen_;
  VisibilityQueries queries_;
};

}  // namespace tocsin::gl
