#include "study/inspect/page.h"

#include "base/json/html_page.h"
#include "study/inspect/page_text.h"
#include "study/inspect/pieces.h"
#include "study/inspect/summary.h"

namespace cuset {
namespace {

Json piece_to_json(const Example& example, const ShownPiece& piece) {
  Json ids = Json::array();
  for (size_t i = 0; i < piece.tokens; ++i) ids.push_back(example.ids[piece.first_token + i]);
  const std::string text(piece.name.empty() ? piece.bytes.of(example.text) : std::string_view(piece.name));
  const int marks = int{piece.is_label} + 2 * int{piece.is_cuda};
  return Json::array({text, static_cast<int>(piece.role), marks, std::move(ids)});
}

Json page_data(const Dataset& dataset, const Tokenizer& tokenizer, const PageOptions& options) {
  Json data = summary_to_json(summarize(dataset), dataset);
  const size_t shown = std::min(options.most_samples, dataset.examples.size());
  for (const char* list : {"dropped", "duplicates"}) {  // the totals tell how many there are
    Json::array_t& rows = data[list].get_ref<Json::array_t&>();
    rows.resize(std::min(rows.size(), options.most_samples));
  }
  data["title"] = options.title;
  data["roles"] = Json::array();
  for (size_t role = 0; role < kRoles; ++role) data["roles"].push_back(name_of(static_cast<Role>(role)));
  data["samples"] = Json::array();
  for (size_t i = 0; i < shown; ++i)
    data["samples"].push_back(sample_for_page(dataset.examples[i], tokenizer));
  return data;
}

}  // namespace

Json sample_for_page(const Example& example, const Tokenizer& tokenizer) {
  Json sample = counts_to_json(example);
  Json pieces = Json::array();
  for (const ShownPiece& piece : pieces_of_example(example, tokenizer))
    pieces.push_back(piece_to_json(example, piece));
  Json regions = Json::array();
  for (const Region& region : example.regions) {
    regions.push_back(Json::array({static_cast<int>(role_of(region.kind)), region.name}));
  }
  sample["pieces"] = std::move(pieces);
  sample["regions"] = std::move(regions);
  return sample;
}

std::string render_page(const Dataset& dataset, const Tokenizer& tokenizer, const PageOptions& options) {
  return fill_page(kInspectPage, {{"title", html_escaped(options.title)},
                                  {"data", json_for_script(page_data(dataset, tokenizer, options))}});
}

}  // namespace cuset
