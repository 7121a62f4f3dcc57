#include "io/acclaim/asf_tree.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/text_scanner.h"

namespace tocsin::io {
namespace {

class Tree {
 public:
  Tree(std::vector<AsfBone>& bones, const std::vector<std::int64_t>& lines, AsfSkeleton& out)
      : bones_(bones), lines_(lines), out_(out), children_(bones.size()) {}

  Status hang(const AsfLink& link) {
    const std::int32_t parent = out_.names.find(link.parent);
    const std::int32_t child = out_.names.find(link.child);
    for (const auto& [index, name] : {std::pair(parent, link.parent), {child, link.child}}) {
      if (index >= 0 || name.empty()) continue;
      return fail(link.line,
                  fmt::format("the hierarchy names {}, which is no bone", base::in_quotes(name)));
    }
    if (link.child.empty()) return Nothing{};
    if (child == 0) return fail(link.line, "the root cannot hang on a bone");
    AsfBone& bone = bones_[at(child)];
    if (bone.parent >= 0) {
      return fail(link.line,
                  fmt::format("the bone {} hangs on {} already", base::in_quotes(bone.name),
                              base::in_quotes(bones_[at(bone.parent)].name)));
    }
    bone.parent = parent;
    children_[at(parent)].push_back(child);
    return Nothing{};
  }

  // No recursion: depth costs no stack.
  Status order() {
    std::vector<std::int32_t> place(bones_.size(), -1);  // in the order that comes out
    std::vector<std::int32_t> pending{0};
    AsfNames names;
    while (!pending.empty()) {
      const std::int32_t next = pending.back();
      pending.pop_back();
      const std::vector<std::int32_t>& children = children_[at(next)];
      pending.insert(pending.end(), children.rbegin(), children.rend());
      place[at(next)] = static_cast<std::int32_t>(out_.bones.size());
      AsfBone& bone = bones_[at(next)];
      bone.leaf = next != 0 && children.empty();
      names.add(bone.name, place[at(next)]);
      out_.bones.push_back(bone);
      if (next != 0) out_.bones.back().parent = place[at(bone.parent)];
    }
    out_.names = std::move(names);
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      if (place[i] < 0) return stray(i);
    }
    return Nothing{};
  }

 private:
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  Error fail(std::int64_t line, std::string_view text) const {
    return base::input_error(out_.file, line, text);
  }

  /// Why a bone is not below the root.
  Error stray(std::size_t bone) const {
    std::size_t top = bone;
    for (std::size_t i = 0; i < bones_.size() && bones_[top].parent >= 0; ++i) {
      top = at(bones_[top].parent);
    }
    if (bones_[top].parent >= 0) {
      return fail(lines_[top], fmt::format("the bone {} hangs on itself, by the hierarchy",
                                           base::in_quotes(bones_[top].name)));
    }
    return fail(lines_[top],
                fmt::format("the hierarchy does not hang the bone {} on any other or on the root",
                            base::in_quotes(bones_[top].name)));
  }

  std::vector<AsfBone>& bones_;
  const std::vector<std::int64_t>& lines_;
  AsfSkeleton& out_;
  std::vector<std::vector<std::int32_t>> children_;
};

}  // namespace

Status grow_asf_tree(std::vector<AsfBone> bones, const std::vector<std::int64_t>& lines,
                     const std::vector<AsfLink>& links, AsfSkeleton& out) {
  Tree tree(bones, lines, out);
  for (const AsfLink& link : links) {
    if (Status status = tree.hang(link); !status.ok()) return status;
  }
  return tree.order();
}

}  // namespace tocsin::io
