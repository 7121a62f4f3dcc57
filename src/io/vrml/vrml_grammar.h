// The grammar of VRML97 (ISO/IEC 14772-1, annex A) by recursive descent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/vrml/vrml_lexer.h"
#include "io/vrml/vrml_nodes.h"
#include "io/vrml/vrml_scene.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// What is declared in a file, or in a PROTO (its interface and its body).
struct VrmlNameSpace {
  struct Hidden {
    std::string_view type;
    std::optional<std::uint32_t> proto;  ///< what the type's name meant before
  };
  std::unordered_map<std::string_view, std::uint32_t> nodes;  ///< by DEF name
  std::vector<Hidden> hidden;  ///< by the PROTOs declared here, in order; empty for the file
};

/// Reads a file behind its first line. The depth is counted. Functions return false after an error.
/// Nodes, PROTOs and ROUTEs are in vrml_parser.cpp, the values of fields in vrml_values.cpp.
class VrmlGrammar {
 public:
  VrmlGrammar(std::string_view text, std::string_view file) : in_(text), file_(file) {}

  Result<VrmlParsed> parse();

 private:
  bool stop(std::string_view cause) { return stop(in_.peek().line, cause); }
  bool stop(std::int64_t line, std::string_view cause);
  bool expected(std::string_view what);

  bool enter();
  bool leave();

  bool accept_word(std::string_view word);

  /// A word that can be a name.
  bool name(std::string_view what, std::string_view& out);

  /// Nodes, PROTOs and ROUTEs up to the end of the file or of a PROTO's body.
  bool statements(VrmlToken::Kind end, std::vector<VrmlRef>& nodes);

  /// PROTO, EXTERNPROTO or ROUTE; `found` says whether there was one.
  bool declaration(bool& found);

  /// ROUTE a.b TO c.d; blanks around the dots are allowed.
  bool route();

  bool proto();

  bool extern_proto();

  void declare(VrmlProto made);

  /// Forgets the innermost namespace.
  void close_space();

  /// [ field SFVec3f size 1 1 1, eventIn ... ]
  bool interface(VrmlProto& made);

  bool parameters(VrmlProto& made);

  /// What follows eventIn, eventOut, field or exposedField: a type and a name.
  bool parameter_head(std::string_view access, VrmlParameter& out, bool& event);

  /// DEF name Type { ... }, USE name, or Type { ... }.
  bool node(std::vector<VrmlRef>& out);

  bool use(std::int64_t line, std::vector<VrmlRef>& out);

  /// Sets the node's kind. A PROTO may have the name of a node of the standard, and then hides it.
  const VrmlNodeSpec* look_up(VrmlNode& made);

  /// The fields of a node, up to its }.
  bool body(VrmlNode& made, const VrmlNodeSpec* spec);

  bool field(const VrmlNode& made, const VrmlNodeSpec* spec, std::vector<VrmlField>& fields);

  /// None: the field is not known. Then its value is skipped, whatever it is.
  std::optional<VrmlType> type_of(const VrmlNode& made, const VrmlNodeSpec* spec,
                                  std::string_view word);

  bool own_field(std::string_view access);

  bool is(VrmlField& out);

  /// A value of a known type.
  bool value(const VrmlType& type, std::string_view what, VrmlField& out);

  bool boolean(VrmlField& out);

  bool number(const VrmlField& of);

  bool numbers(const VrmlType& type, VrmlField& out);

  bool strings(const VrmlType& type, VrmlField& out);

  bool nodes(const VrmlType& type, VrmlField& out);

  void keep(const std::vector<VrmlRef>& refs, VrmlField& out);

  /// A value of unknown type: skipped, but for the nodes in it, which a USE may mean.
  bool any_value(VrmlField& out);

  bool any_list(std::vector<VrmlRef>& refs);

  bool any_item(std::vector<VrmlRef>& refs);

  VrmlLexer in_;
  std::string_view file_;
  std::optional<Error> error_;
  int depth_ = 0;
  bool in_interface_ = false;
  std::vector<VrmlNameSpace> spaces_;  ///< of the file, and of the PROTOs around the cursor
  /// What type names mean at the cursor: looked up for each node, however deep PROTOs are nested.
  std::unordered_map<std::string_view, std::uint32_t> protos_;
  VrmlParsed out_;
};

}  // namespace tocsin::io
