#include "gpu/gl/visibility/visibility_passes.h"

#include <algorithm>
#include <numeric>

#include "gpu/gl/context/program.h"
#include "gpu/gl/visibility/visibility_control.h"

namespace tocsin::gl {
namespace {

constexpr GLbitfield kWrittenByShaders =
    GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT;
/// Work items of a group of retire.comp.
constexpr std::uint32_t kRetireGroup = 64;

GLint location(const Program& program, const char* name) {
  return glGetUniformLocation(program.name(), name);
}

Status build(const char* compute, Program& out) {
  auto built = build_program({{GL_COMPUTE_SHADER, {"slab", compute}}});
  if (!built) return built.error();
  out = std::move(built).value();
  return Nothing{};
}

Status build(RasterWay way, TriangleSource source, PixelOutput output, Program& out) {
  auto built = build_raster_program(way, source, output);
  if (!built) return built.error();
  out = std::move(built).value();
  return Nothing{};
}

PixelOutput output_of(Method method) {
  return method == Method::kFlags ? PixelOutput::kFlags : PixelOutput::kQuery;
}

}  // namespace

void GrowingBuffer::reserve(std::size_t bytes) {
  if (buffer_ && buffer_.bytes() >= bytes) return;
  const std::size_t wanted = std::max<std::size_t>({bytes, 2 * buffer_.bytes(), 256});
  buffer_ = Buffer();  // the old one first: both might not fit
  buffer_ = Buffer(wanted, GL_DYNAMIC_STORAGE_BIT);
}

Result<VisibilityPasses> VisibilityPasses::create(const Settings& settings) {
  VisibilityPasses out;
  out.settings_ = settings;
  out.atlas_ = DepthAtlas(settings.grid);
  for (const Status& status :
       {build("gather.comp", out.gather_), build("retire.comp", out.retire_),
        build(settings.way, TriangleSource::kSkin, PixelOutput::kDepth, out.skin_program_),
        build(settings.way, TriangleSource::kRoom, output_of(settings.method),
              out.room_program_)}) {
    if (!status) return status.error();
  }
  std::vector<std::uint32_t> numbers(std::max(ChunkLimits{}.pairs, settings.grid.most_tiles()) + 1);
  std::iota(numbers.begin(), numbers.end(), 0U);
  out.number_buffer_ = Buffer(std::span(numbers));
  out.numbers_ = make_vertex_array();
  const GLuint vertex_array = out.numbers_.name();
  glEnableVertexArrayAttrib(vertex_array, 0);
  glVertexArrayAttribIFormat(vertex_array, 0, 1, GL_UNSIGNED_INT, 0);
  glVertexArrayAttribBinding(vertex_array, 0, 0);
  glVertexArrayBindingDivisor(vertex_array, 0, 1);
  glVertexArrayVertexBuffer(vertex_array, 0, out.number_buffer_.name(), 0, sizeof(std::uint32_t));
  if (const Status status = check_device("the visibility test's buffers"); !status) {
    return status.error();
  }
  return out;
}

Status VisibilityPasses::load(const Chunk& chunk) {
  if (Status status = atlas_.reserve(static_cast<std::uint32_t>(chunk.slabs.size())); !status) {
    return status;
  }
  const auto slabs = static_cast<std::uint32_t>(chunk.slabs.size());
  const SlabRecord slab = control_slab(settings_.grid, slabs);
  const DrawCommand command{
      .count = kVerticesPerTriangle * static_cast<std::uint32_t>(kControlSkin.size()),
      .instances = 0,
      .first = kVerticesPerTriangle * static_cast<std::uint32_t>(chunk.skin.size()),
      .base_instance = slabs};
  const std::size_t pairs = chunk.pairs.size() + 1;
  skin_.set(std::span(chunk.skin), std::span<const SkinTriangle>(kControlSkin));
  slabs_.set(std::span(chunk.slabs), std::span(&slab, 1));
  for (GrowingBuffer* commands : {&idle_skin_commands_, &skin_commands_}) {
    commands->set(std::span(chunk.skin_commands), std::span(&command, 1));
  }
  pairs_.reserve(sizeof(PairRecord) * pairs);
  list_.reserve(sizeof(std::uint32_t) * (chunk.listed + 1));
  pair_commands_.reserve(sizeof(DrawCommand) * pairs);
  seen_.reserve(sizeof(std::uint32_t) * pairs);
  if (settings_.method == Method::kQuery) queries_.reserve(pairs);
  return check_device("the buffers of a batch of visibility tests");
}

Status VisibilityPasses::run(const Chunk& chunk, const DeviceRoom& room, std::span<Seen> seen) {
  if (Status status = load(chunk); !status) return status;
  const bool flags = settings_.method == Method::kFlags;
  const PairRecord control{.slab = static_cast<std::uint32_t>(chunk.slabs.size()),
                           .first = room.triangles().control(),
                           .count = 1,
                           .begin = chunk.listed};
  pairs_.set(std::span(chunk.pairs), std::span(&control, 1));
  const std::size_t pairs = chunk.pairs.size() + 1;
  const GLuint nothing_seen = 0;
  glClearNamedBufferData(seen_.buffer().name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT,
                         &nothing_seen);
  for (int view = 0; view < 3; ++view) {
    if (view == 0 || settings_.all_views) {
      gather(room, view, pairs);
    } else if (flags) {
      retire(view, pairs);
    }
    draw_skins(chunk, view);
    compare(chunk, room, view, pairs);
  }
  std::vector<Seen> all(pairs, kUnread);
  Status answered = read(all);
  // What GL has to say about it says more.
  if (Status status = check_device("a batch of visibility tests"); !status) return status;
  if (!answered) return answered;
  if (all.back() != control_answer(settings_.method)) {
    return {ErrorCode::kResource,
            "the device did not draw what was asked (a control was not seen)"};
  }
  std::copy_n(all.begin(), seen.size(), seen.begin());
  return Nothing{};
}

Status VisibilityPasses::read(std::vector<Seen>& seen) const {
  if (settings_.method == Method::kQuery) return queries_.read(settings_.all_views, seen);
  read_flags(seen);
  return Nothing{};
}

std::vector<std::array<float, 2>> VisibilityPasses::skin_depths(const Chunk& chunk, int view) {
  std::vector<DrawCommand> commands = chunk.skin_commands;
  for (DrawCommand& command : commands) command.instances = 1;
  skin_commands_.set(std::span<const DrawCommand>(commands));
  draw_skins(chunk, view);
  return atlas_.read(static_cast<std::uint32_t>(chunk.slabs.size()));
}

void VisibilityPasses::release() {
  atlas_ = DepthAtlas(settings_.grid);
  for (GrowingBuffer* buffer : {&skin_, &slabs_, &pairs_, &list_, &pair_commands_,
                                &idle_skin_commands_, &skin_commands_, &seen_}) {
    *buffer = GrowingBuffer();
  }
  queries_ = VisibilityQueries();
}

Result<std::vector<std::array<float, 2>>> VisibilityPasses::room_depths(const Chunk& chunk,
                                                                        const DeviceRoom& room,
                                                                        int view) {
  auto program = build_raster_program(settings_.way, TriangleSource::kRoom, PixelOutput::kDepth);
  if (!program) return program.error();
  pairs_.set(std::span(chunk.pairs));
  gather(room, view, chunk.pairs.size());
  const RasterScope scope(settings_.way, PixelOutput::kDepth);
  const auto tiles = static_cast<std::uint32_t>(chunk.slabs.size());
  atlas_.begin_skins(tiles);
  bind_program(*program, chunk, view);
  bind_room(room);
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, pair_commands_.buffer().name());
  glMultiDrawArraysIndirect(GL_TRIANGLES, nullptr, static_cast<GLsizei>(chunk.pairs.size()), 0);
  return atlas_.read(tiles);
}

std::vector<bool> VisibilityPasses::drawn_slabs(const Chunk& chunk) const {
  std::vector<DrawCommand> commands(chunk.skin_commands.size());
  skin_commands_.buffer().read(std::span(commands));
  std::vector<bool> out;
  out.reserve(commands.size());
  for (const DrawCommand& command : commands) out.push_back(command.instances != 0);
  return out;
}

/// No skin is drawn until a command for it is written.
void VisibilityPasses::idle_skins() {
  const Buffer& idle = idle_skin_commands_.buffer();
  glCopyNamedBufferSubData(idle.name(), skin_commands_.buffer().name(), 0, 0,
                           static_cast<GLsizeiptr>(idle.bytes()));
}

void VisibilityPasses::gather(const DeviceRoom& room, int view, std::size_t pairs) {
  idle_skins();
  glUseProgram(gather_.name());
  glUniform1i(location(gather_, "view"), view);
  glUniform1i(location(gather_, "by_depth"), settings_.all_views ? 0 : 1);
  slabs_.bind(kSlabBinding);
  bind_room(room);
  pair_commands_.bind(kPairCommandBinding);
  skin_commands_.bind(kSkinCommandBinding);
  glDispatchCompute(static_cast<GLuint>(pairs), 1, 1);
  glMemoryBarrier(kWrittenByShaders);
}

void VisibilityPasses::retire(int view, std::size_t pairs) {
  idle_skins();
  const auto count = static_cast<GLuint>(pairs);
  glUseProgram(retire_.name());
  glUniform1i(location(retire_, "view"), view);
  glUniform1ui(location(retire_, "pair_count"), count);
  pairs_.bind(kPairBinding);
  pair_commands_.bind(kPairCommandBinding);
  skin_commands_.bind(kSkinCommandBinding);
  seen_.bind(kSeenBinding);
  glDispatchCompute((count + kRetireGroup - 1) / kRetireGroup, 1, 1);
  glMemoryBarrier(kWrittenByShaders);
}

void VisibilityPasses::bind_program(const Program& program, const Chunk& chunk, int view) const {
  const TileGrid& grid = settings_.grid;
  const auto [width, height] = atlas_.size(static_cast<std::uint32_t>(chunk.slabs.size()));
  const int middle_x = grid.tile_width / 2;
  const int middle_y = grid.tile_height / 2;
  glUseProgram(program.name());
  glUniform1i(location(program, "view"), view);
  glUniform4f(location(program, "tile"), static_cast<float>(middle_x), static_cast<float>(middle_y),
              static_cast<float>(grid.tile_width - middle_x),
              static_cast<float>(grid.tile_height - middle_y));
  glUniform2f(location(program, "clip_scale"), 2.0F / static_cast<float>(width),
              2.0F / static_cast<float>(height));
  glBindVertexArray(numbers_.name());
  slabs_.bind(kSlabBinding);
}

void VisibilityPasses::draw_skins(const Chunk& chunk, int view) {
  const RasterScope scope(settings_.way, PixelOutput::kDepth);
  atlas_.begin_skins(static_cast<std::uint32_t>(chunk.slabs.size()));
  bind_program(skin_program_, chunk, view);
  skin_.bind(kVertexBinding);
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, skin_commands_.buffer().name());
  glMultiDrawArraysIndirect(GL_TRIANGLES, nullptr, static_cast<GLsizei>(chunk.slabs.size() + 1), 0);
}

void VisibilityPasses::compare(const Chunk& chunk, const DeviceRoom& room, int view,
                               std::size_t pairs) {
  const RasterScope scope(settings_.way, output_of(settings_.method));
  atlas_.begin_comparison(static_cast<std::uint32_t>(chunk.slabs.size()));
  bind_program(room_program_, chunk, view);
  bind_room(room);
  seen_.bind(kSeenBinding);
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, pair_commands_.buffer().name());
  if (settings_.method == Method::kFlags) {
    glMultiDrawArraysIndirect(GL_TRIANGLES, nullptr, static_cast<GLsizei>(pairs), 0);
    glMemoryBarrier(kWrittenByShaders);
  } else {
    queries_.draw(pairs, view, settings_.all_views);
  }
}

void VisibilityPasses::bind_room(const DeviceRoom& room) const {
  room.vertices().bind(GL_SHADER_STORAGE_BUFFER, kVertexBinding);
  room.triangles().corners().bind(GL_SHADER_STORAGE_BUFFER, kTriangleBinding);
  pairs_.bind(kPairBinding);
  list_.bind(kListBinding);
}

void VisibilityPasses::read_flags(std::span<Seen> seen) const {
  // Should nothing be read, everything touches.
  std::vector<std::uint32_t> words(seen.size(), std::uint32_t{kUnread});
  seen_.buffer().read(std::span(words));
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = static_cast<Seen>(words[i]);
}

}  // namespace tocsin::gl
