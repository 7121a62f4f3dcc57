#include "view/window/panels/ui.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "gpu/gl/context/program.h"
#include "view/stroke_font.h"
#include "view/window/panels/overlaps.h"

namespace tocsin::view {
namespace {

using Kind = gl::WindowEvent::Kind;

/// Points: the height of a line, of a capital letter, and of its foot below the line's top.
constexpr double kLine = 17.0;
constexpr double kCap = 9.4;
constexpr double kFoot = 13.0;
constexpr int kEdge = 1;  // pixels about a letter

/// What panels need of keys: where each is in ImGui's array of our own numbering.
struct PanelKey {
  std::string_view name;
  int key;
};
constexpr std::array<PanelKey, 14> kPanelKeys{{{"tab", ImGuiKey_Tab},
                                               {"left", ImGuiKey_LeftArrow},
                                               {"right", ImGuiKey_RightArrow},
                                               {"up", ImGuiKey_UpArrow},
                                               {"down", ImGuiKey_DownArrow},
                                               {"home", ImGuiKey_Home},
                                               {"end", ImGuiKey_End},
                                               {"delete", ImGuiKey_Delete},
                                               {"backspace", ImGuiKey_Backspace},
                                               {"enter", ImGuiKey_Enter},
                                               {"escape", ImGuiKey_Escape},
                                               {"a", ImGuiKey_A},
                                               {"pageup", ImGuiKey_PageUp},
                                               {"pagedown", ImGuiKey_PageDown}}};

int panel_key(std::string_view name) {
  for (const PanelKey& key : kPanelKeys) {
    if (key.name == name) return key.key;
  }
  return -1;
}

std::string_view without_held(std::string_view name, bool& shift, bool& ctrl) {
  for (bool more = true; more;) {
    more = false;
    if (name.starts_with("ctrl+") && name.size() > 5) {
      ctrl = more = true;
      name.remove_prefix(5);
    }
    if (name.starts_with("shift+") && name.size() > 6) {
      shift = more = true;
      name.remove_prefix(6);
    }
  }
  return name;
}

void set_style(double scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  ImGui::StyleColorsLight();
  style.WindowRounding = 0.0F;
  style.FrameRounding = 3.0F;
  style.WindowBorderSize = 0.0F;
  style.FrameBorderSize = 1.0F;
  style.WindowPadding = {10.0F, 8.0F};
  style.ItemSpacing = {7.0F, 5.0F};
  style.FramePadding = {6.0F, 3.0F};
  const auto colour = [](unsigned rgb) {
    return ImVec4(static_cast<float>(rgb >> 16U & 0xFFU) / 255.0F,
                  static_cast<float>(rgb >> 8U & 0xFFU) / 255.0F,
                  static_cast<float>(rgb & 0xFFU) / 255.0F, 1.0F);
  };
  style.Colors[ImGuiCol_Text] = colour(0x1d2229);
  style.Colors[ImGuiCol_TextDisabled] = colour(0x5a6472);
  style.Colors[ImGuiCol_WindowBg] = colour(0xffffff);
  style.Colors[ImGuiCol_PopupBg] = colour(0xffffff);
  style.Colors[ImGuiCol_FrameBg] = colour(0xeef1f5);
  style.Colors[ImGuiCol_Border] = colour(0xc3cad2);
  style.Colors[ImGuiCol_Button] = colour(0xf3f5f8);
  style.Colors[ImGuiCol_ButtonHovered] = colour(0xdfe6ee);
  style.Colors[ImGuiCol_ButtonActive] = colour(0xcbd6e2);
  style.Colors[ImGuiCol_Header] = colour(0xffe3c9);
  style.Colors[ImGuiCol_HeaderHovered] = colour(0xeef3f8);
  style.Colors[ImGuiCol_HeaderActive] = colour(0xffd7b0);
  style.Colors[ImGuiCol_SliderGrab] = colour(0x005a8c);
  style.Colors[ImGuiCol_SliderGrabActive] = colour(0x003f63);
  style.Colors[ImGuiCol_CheckMark] = colour(0x005a8c);
  style.Colors[ImGuiCol_TableHeaderBg] = colour(0xf3f5f8);
  style.ScaleAllSizes(static_cast<float>(scale));
}

}  // namespace

Ui::Ui(double scale) : scale_(scale) {}

Result<std::unique_ptr<Ui>> Ui::make(double scale) {
  std::unique_ptr<Ui> out(new Ui(scale));
  if (auto built = out->build(); !built) return built.error();
  return out;
}

Ui::~Ui() {
  if (context_ != nullptr) ImGui::DestroyContext(context_);
}

Status Ui::build() {
  auto program =
      gl::build_program({{GL_VERTEX_SHADER, {"ui.vert"}}, {GL_FRAGMENT_SHADER, {"ui.frag"}}}, {});
  if (!program) return program.error();
  program_ = std::move(program).value();
  IMGUI_CHECKVERSION();
  context_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // nothing is written
  io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.ConfigInputTextCursorBlink = false;
  for (const PanelKey& key : kPanelKeys) io.KeyMap[key.key] = key.key;
  set_style(scale_);
  make_letters();
  const auto attribute = [this](GLuint index, GLint count, GLenum type, GLboolean whole,
                                std::size_t at) {
    glVertexArrayAttribFormat(array_.name(), index, count, type, whole, static_cast<GLuint>(at));
    glEnableVertexArrayAttrib(array_.name(), index);
    glVertexArrayAttribBinding(array_.name(), index, 0);
  };
  attribute(0, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, pos));
  attribute(1, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, uv));
  attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(ImDrawVert, col));
  return Nothing{};
}

/// The letters of our pictures (view/stroke_font.h) in place of ImGui's own, of which those beyond
/// ASCII stay.
void Ui::make_letters() {
  ImGuiIO& io = ImGui::GetIO();
  ImFontConfig wish;
  wish.SizePixels = static_cast<float>(std::floor(kLine * scale_));
  wish.OversampleH = wish.OversampleV = 1;
  ImFont* const font = io.Fonts->AddFontDefault(&wish);
  const double cap = kCap * scale_;
  const int height = static_cast<int>(wish.SizePixels);
  struct Letter {
    char code;
    int place;
    int width;
  };
  std::vector<Letter> letters;
  for (char c = ' '; c <= '~'; ++c) {
    // Whole pixels, so that letters are sharp; about them an empty one, as the texture is filtered.
    const double advance = std::floor(text_width({&c, 1}, cap) + 0.5);
    const int width = static_cast<int>(advance) + 2 * kEdge + 1;
    const int place = io.Fonts->AddCustomRectFontGlyph(
        font, static_cast<ImWchar>(c), width, height + 2 * kEdge, static_cast<float>(advance),
        {static_cast<float>(-kEdge), static_cast<float>(-kEdge)});
    letters.push_back({c, place, width});
  }
  unsigned char* pixels = nullptr;
  int atlas_width = 0;
  int atlas_height = 0;
  io.Fonts->GetTexDataAsAlpha8(&pixels, &atlas_width, &atlas_height);
  for (const Letter& letter : letters) {
    const ImFontAtlasCustomRect* const to = io.Fonts->GetCustomRectByIndex(letter.place);
    Image image{letter.width, height + 2 * kEdge, {}};
    image.rgb.assign(image.offset(0, image.height), 0);
    draw_text(image, kEdge + 0.5, kEdge + std::floor(kFoot * scale_), {&letter.code, 1},
              {cap, {1.0F, 1.0F, 1.0F}});
    for (int y = kEdge; y < image.height - kEdge; ++y) {
      for (int x = kEdge; x < image.width - kEdge; ++x) {
        pixels[(to->Y + y) * atlas_width + to->X + x] = image.rgb[image.offset(x, y)];
      }
    }
  }
  letters_ = gl::make_texture(GL_R8, atlas_width, atlas_height);
  glTextureParameteri(letters_.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(letters_.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(letters_.name(), 0, 0, 0, atlas_width, atlas_height, GL_RED, GL_UNSIGNED_BYTE,
                      pixels);
}

bool Ui::feed(const gl::WindowEvent& event) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  switch (event.kind) {
    case Kind::kKey:
    case Kind::kKeyUp: {
      bool shift = false;
      bool ctrl = false;
      const int key = panel_key(without_held(event.text, shift, ctrl));
      if (key < 0) return true;
      const bool again =
          std::find(changed_keys_.begin(), changed_keys_.end(), key) != changed_keys_.end();
      if (again) return false;
      changed_keys_.push_back(key);
      io.KeysDown[key] = event.kind == Kind::kKey;
      io.KeyShift = shift;
      io.KeyCtrl = ctrl;
      return true;
    }
    case Kind::kText:
      io.AddInputCharactersUTF8(event.text.c_str());
      return true;
    case Kind::kMove:
      if (pressed_) return false;
      io.MousePos = {static_cast<float>(event.x), static_cast<float>(event.y)};
      return true;
    case Kind::kPress:
    case Kind::kRelease:
      if (pressed_) return false;
      pressed_ = true;
      io.MousePos = {static_cast<float>(event.x), static_cast<float>(event.y)};
      io.MouseDown[event.button] = event.kind == Kind::kPress;
      return true;
    case Kind::kWheel:
      io.MouseWheel += static_cast<float>(event.y);
      return true;
    default:
      return true;
  }
}

void Ui::begin(int width, int height, double seconds) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DeltaTime = static_cast<float>(std::max(seconds, 1e-4));
  changed_keys_.clear();
  pressed_ = false;
  ImGui::NewFrame();
}

bool Ui::writes() const {
  ImGui::SetCurrentContext(context_);
  return ImGui::GetIO().WantTextInput;
}

bool Ui::covers() const { return covered_; }

void Ui::upload(const ImDrawData& data) {
  std::vector<ImDrawVert> vertices;
  std::vector<ImDrawIdx> indices;
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    vertices.insert(vertices.end(), list.VtxBuffer.begin(), list.VtxBuffer.end());
    indices.insert(indices.end(), list.IdxBuffer.begin(), list.IdxBuffer.end());
  }
  vertices_ = gl::Buffer(std::span<const ImDrawVert>(vertices));
  indices_ = gl::Buffer(std::span<const ImDrawIdx>(indices));
  glVertexArrayVertexBuffer(array_.name(), 0, vertices_.name(), 0, sizeof(ImDrawVert));
  glVertexArrayElementBuffer(array_.name(), indices_.name());
}

void Ui::draw(GLuint framebuffer, int width, int height) {
  ImGui::SetCurrentContext(context_);
  covered_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  ImGui::Render();
  const ImDrawData& data = *ImGui::GetDrawData();
  overlapping_ = count_overlapping_letters(data);
  upload(data);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, width, height);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_SCISSOR_TEST);
  glUseProgram(program_.name());
  glProgramUniform2f(program_.name(), 0, static_cast<float>(width), static_cast<float>(height));
  glBindTextureUnit(0, letters_.name());
  glBindVertexArray(array_.name());
  int first_vertex = 0;
  std::size_t first_index = 0;
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const ImVec4& clip = command.ClipRect;
      const auto left = static_cast<GLint>(std::max(0.0F, clip.x));
      const auto bottom = static_cast<GLint>(std::max(0.0F, static_cast<float>(height) - clip.w));
      const auto wide = static_cast<GLsizei>(std::max(0.0F, clip.z - static_cast<float>(left)));
      const auto tall = static_cast<GLsizei>(std::max(0.0F, clip.w - std::max(0.0F, clip.y)));
      if (wide == 0 || tall == 0) continue;
      glScissorIndexed(0, left, bottom, wide, tall);
      const std::size_t at = (first_index + command.IdxOffset) * sizeof(ImDrawIdx);
      glDrawElementsBaseVertex(GL_TRIANGLES, static_cast<GLsizei>(command.ElemCount),
                               sizeof(ImDrawIdx) == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT,
                               reinterpret_cast<const void*>(at),
                               first_vertex + static_cast<int>(command.VtxOffset));
    }
    first_vertex += list.VtxBuffer.Size;
    first_index += static_cast<std::size_t>(list.IdxBuffer.Size);
  }
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  glBindVertexArray(0);
  glUseProgram(0);
}

}  // namespace tocsin::view
