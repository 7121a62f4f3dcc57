// The arguments of `tocsin convert`.
#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"

namespace tocsin::app {
namespace {

constexpr const char* kConvertExamples = R"(Examples:
  tocsin convert 01_01.amc take.bvh              a take, with the skeleton 01.asf beside it
  tocsin convert take.bvh take.glb               to look at it in any glTF viewer
  tocsin convert dancers.glb jump.bvh --clip Jump
  tocsin convert house.wrl house.ply             a room; objects keep their names

Takes are written to .bvh, .glb and .poses, rooms to .obj, .ply and .glb; metres, Y up. Contacts stay what they
were, up to the rounding of the format written (.glb takes: 32-bit floats; the others: none).

Exit status: 0 done; 2 wrong usage; 3 an input was refused; 4 could not finish (disk full, memory).
)";

class ConvertParser final : public CommandParser {
 public:
  explicit ConvertParser(CLI::App& tocsin)
      : CommandParser(tocsin, "convert", "Write a take or a room in another format",
                      kConvertExamples) {
    CLI::App& a = app();
    a.add_option("IN", options_.input, "A take or a room")->type_name("FILE")->required();
    a.add_option("OUT", options_.output, "Take: .bvh, .glb, .poses; room: .obj, .ply, .glb")
        ->type_name("FILE")
        ->required();
    reading_.add(a, "by OUT's extension, else a motion if it holds one");
  }
  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"IN", "OUT"});
    ConvertOptions o = options_;
    reading_.resolve(app(), o);
    return o;
  }

 private:
  ConvertOptions options_;
  ReadingArguments reading_;
};

}  // namespace

std::unique_ptr<CommandParser> convert_parser(CLI::App& tocsin) {
  return std::make_unique<ConvertParser>(tocsin);
}

}  // namespace tocsin::app
