#include "view/stage/stage.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "view/camera.h"

namespace tocsin::view {
namespace {

using gl::Buffer;
using gl::Program;

/// One of a kind for what is drawn plainly, for objects and for links.
struct MeshPrograms {
  Program plain, objects, links;
};

Status build_mesh_programs(MeshPrograms& out, std::string_view fragment, bool live,
                           const std::vector<std::string>& defines) {
  const auto with = [&defines](const char* more) {
    std::vector<std::string> all = defines;
    all.emplace_back(more);
    return all;
  };
  constexpr std::string_view kVertex = "view_mesh.vert";
  if (auto built = build_view_program(out.plain, kVertex, fragment, defines); !built) return built;
  if (!live) return Nothing{};
  if (auto built = build_view_program(out.objects, kVertex, fragment, with("OBJECTS")); !built) {
    return built;
  }
  return build_view_program(out.links, kVertex, fragment, with("LINKS"));
}

}  // namespace

/// All programs of a picture.
struct Stage::Programs {
  MeshPrograms solid, shadow;
  Program dim, dim_quick, smooth, light, through, glass, glass_over, mark, resolve;
};

struct Stage::Targets {
  Targets(int w, int h, int samples)
      : width(w),
        height(h),
        across(samples),
        shadow(kShadowSize, kShadowSize),
        seen(w * samples, h * samples),
        alone(w * samples, h * samples),
        rough(w, h),
        even(w, h),
        light(w * samples, h * samples),
        glass(w * samples, h * samples),
        result(w, h) {
    shadow_map = shadow.add_depth();
    colours = seen.add_colour(GL_RGBA8);
    normals = seen.add_colour(GL_RGBA16F);
    ids = seen.add_colour(GL_R32UI);
    depths = seen.add_depth();
    body_colours = alone.add_colour(GL_RGBA8);
    body_depths = alone.add_depth();
    rough_dim = rough.add_colour(GL_RG8);
    dim = even.add_colour(GL_RG8);
    lit = light.add_colour(GL_RGBA16F);
    sums = glass.add_colour(GL_RGBA16F);
    left = glass.add_colour(GL_R16F);
    pixels = result.add_colour(GL_RGBA8);
    // Compared and filtered when it is sampled.
    glTextureParameteri(shadow_map, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTextureParameteri(shadow_map, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(shadow_map, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  }
  int width;
  int height;
  int across;
  std::array<float, 4> lens{};  ///< of the last picture (FrameBlock)
  Target shadow, seen, alone, rough, even, light, glass, result;
  GLuint shadow_map, colours, normals, ids, depths, body_colours, body_depths, rough_dim, dim, lit,
      sums, left, pixels;
};

Stage::Stage() = default;
Stage::~Stage() = default;

Result<std::unique_ptr<Stage>> Stage::make(bool live) {
  std::unique_ptr<Stage> out(new Stage);
  if (auto built = out->build(live); !built) return built.error();
  return out;
}

Status Stage::build(bool live) {
  live_ = live;
  programs_ = std::make_unique<Programs>();
  Programs& p = *programs_;
  if (auto built = build_mesh_programs(p.solid, "view_solid.frag", live, {}); !built) return built;
  if (auto built = build_mesh_programs(p.shadow, "view_shadow.frag", live, {"LIGHT"}); !built) {
    return built;
  }
  struct Part {
    Program& program;
    std::string_view vertex;
    std::string_view fragment;
    std::vector<std::string> defines;
  };
  for (const Part& part : {Part{p.dim, "view_full.vert", "view_dim.frag", {}},
                           Part{p.dim_quick, "view_full.vert", "view_dim.frag", {"QUICK"}},
                           Part{p.smooth, "view_full.vert", "view_smooth.frag", {}},
                           Part{p.light, "view_full.vert", "view_light.frag", {}},
                           Part{p.through, "view_full.vert", "view_through.frag", {}},
                           Part{p.glass, "view_glass.vert", "view_glass.frag", {}},
                           Part{p.glass_over, "view_full.vert", "view_glass_over.frag", {}},
                           Part{p.mark, "view_mesh.vert", "view_mark.frag", {}},
                           Part{p.resolve, "view_full.vert", "view_resolve.frag", {}}}) {
    if (auto built = build_view_program(part.program, part.vertex, part.fragment, part.defines);
        !built) {
      return built;
    }
  }
  return Nothing{};
}

void Stage::set_room(const Mesh& room, std::size_t objects) {
  room_ = upload(room);
  const std::vector<std::uint32_t> none(std::max<std::size_t>(objects, 1), kAsItIs);
  objects_ = Buffer(std::span<const std::uint32_t>(none), GL_DYNAMIC_STORAGE_BIT);
}

void Stage::set_objects(std::span<const std::uint32_t> states) {
  if (states.size_bytes() <= objects_.bytes()) objects_.write(states);
}

void Stage::set_links(const Mesh& models, std::size_t links) {
  links_ = upload(models);
  const std::vector<LinkPlace> none(std::max<std::size_t>(links, 1));
  places_ = Buffer(std::span<const LinkPlace>(none), GL_DYNAMIC_STORAGE_BIT);
}

void Stage::set_places(std::span<const LinkPlace> places) {
  if (places.size_bytes() <= places_.bytes()) places_.write(places);
}

void Stage::set_solids(const Mesh& solids) { solids_ = upload(solids); }
void Stage::set_bodies(const Mesh& bodies) { bodies_ = upload(bodies); }
void Stage::set_glass(const Glass& glass) { glass_ = upload(glass); }
void Stage::set_marks(const Mesh& marks) { marks_ = upload(marks); }

Status Stage::fit(const Camera& camera, int samples, const char* what) {
  if (targets_ && targets_->width == camera.width && targets_->height == camera.height &&
      targets_->across == samples) {
    return Nothing{};
  }
  targets_.reset();  // before the next ones take memory
  targets_ = std::make_unique<Targets>(camera.width, camera.height, samples);
  return gl::check_device(what);
}

void Stage::draw_solids(bool light) const {
  const MeshPrograms& programs = light ? programs_->shadow : programs_->solid;
  if (live_) {
    objects_.bind(GL_SHADER_STORAGE_BUFFER, 1);
    places_.bind(GL_SHADER_STORAGE_BUFFER, 2);
    if (room_shown_ && !room_.empty()) {
      glUseProgram(programs.objects.name());
      room_.draw();
    }
    glUseProgram(programs.links.name());
    links_.draw();
  }
  glUseProgram(programs.plain.name());
  solids_.draw();
}

void Stage::draw_shadows(Quality quality) const {
  targets_->shadow.bind();
  targets_->shadow.clear_depth();
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_DEPTH_CLAMP);
  if (quality == Quality::kFine) {
    draw_solids(true);
  } else if (live_) {  // what moves casts shadows, the room none: it is most of the triangles
    places_.bind(GL_SHADER_STORAGE_BUFFER, 2);
    glUseProgram(programs_->shadow.links.name());
    links_.draw();
  }
  glDisable(GL_DEPTH_CLAMP);
}

/// Bodies alone, whatever is in front of them: colours and depths; they shine through.
void Stage::draw_bodies() const {
  const Targets& t = *targets_;
  t.alone.bind();
  t.alone.clear(0, {});
  t.alone.clear_depth();
  glEnable(GL_DEPTH_TEST);
  glUseProgram(programs_->solid.plain.name());
  bodies_.draw();
  if (live_ && shining_) {
    glUseProgram(programs_->solid.links.name());
    links_.draw();
  }
  glDisable(GL_DEPTH_TEST);
}

/// Draws everything over the solid surfaces. Leaves blending off.
void Stage::draw_over() const {
  const Targets& t = *targets_;
  if (!bodies_.empty() || (live_ && shining_)) {
    draw_bodies();
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    fill_(t.light, programs_->through, {t.depths, t.ids, t.body_depths, t.body_colours});
    glDisable(GL_BLEND);
  }
  if (!glass_.empty()) {
    t.glass.bind();
    t.glass.clear(0, {});
    t.glass.clear(1, {1.0F, 1.0F, 1.0F, 1.0F});
    bind_textures({t.depths, t.ids});
    glEnable(GL_BLEND);
    glBlendFunci(0, GL_ONE, GL_ONE);
    glBlendFunci(1, GL_ZERO, GL_ONE_MINUS_SRC_COLOR);
    glUseProgram(programs_->glass.name());
    glass_.draw();
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    fill_(t.light, programs_->glass_over, {t.sums, t.left});
    glDisable(GL_BLEND);
  }
  t.light.bind();
  glUseProgram(programs_->mark.name());
  marks_.draw();
}

Status Stage::draw(const FrameView& frame, int samples, Quality quality, const char* what) {
  if (auto fitted = fit(frame.view.camera, samples, what); !fitted) return fitted;
  Targets& t = *targets_;
  const FrameBlock uniforms = frame_block(frame, samples);
  t.lens = uniforms.lens;
  const Buffer block{std::span<const FrameBlock>(&uniforms, 1)};
  block.bind(GL_UNIFORM_BUFFER, 0);

  draw_shadows(quality);
  t.seen.bind();
  t.seen.clear(0, {});
  t.seen.clear(1, {});
  t.seen.clear_words(2);
  t.seen.clear_depth();
  glEnable(GL_DEPTH_TEST);
  draw_solids(false);
  glDisable(GL_DEPTH_TEST);
  fill_(t.rough, quality == Quality::kFine ? programs_->dim : programs_->dim_quick,
        {t.depths, t.normals, t.shadow_map});
  fill_(t.even, programs_->smooth, {t.depths, t.rough_dim});
  fill_(t.light, programs_->light, {t.depths, t.normals, t.colours, t.ids, t.dim});
  draw_over();
  fill_(t.result, programs_->resolve, {t.lit});
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glUseProgram(0);
  glBindVertexArray(0);
  return gl::check_device(what);
}

GLuint Stage::picture() const { return targets_ ? targets_->pixels : 0; }
GLuint Stage::picture_frame() const { return targets_ ? targets_->result.frame() : 0; }

Picked Stage::pick(int x, int y) const {
  if (!targets_) return {};
  const Targets& t = *targets_;
  if (x < 0 || y < 0 || x >= t.width || y >= t.height) return {};
  const GLint at_x = x * t.across;
  const GLint at_y = (t.height - 1 - y) * t.across;
  Picked out;
  GLfloat depth = 1.0F;
  glGetTextureSubImage(t.ids, 0, at_x, at_y, 0, 1, 1, 1, GL_RED_INTEGER, GL_UNSIGNED_INT,
                       sizeof out.id, &out.id);
  glGetTextureSubImage(t.depths, 0, at_x, at_y, 0, 1, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT,
                       sizeof depth, &depth);
  out.id &= ~kTouchedBit;
  // As metres() of view_frame.glsl.
  const double near = t.lens[2];
  const double far = t.lens[3];
  out.depth = 2.0 * far * near / (far + near - (2.0 * depth - 1.0) * (far - near));
  return out;
}

}  // namespace tocsin::view
