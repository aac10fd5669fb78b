#include "study/inspect/page.h"

#include "base/json/html_page.h"
#include "study/inspect/page_text.h"
#include "study/inspect/pieces.h"
#include "study/inspect/summary.h"

namespace cuset::study {
namespace {

base::Json piece_to_json(const data::Example& example, const ShownPiece& piece) {
  base::Json ids = base::Json::array();
  for (size_t i = 0; i < piece.tokens; ++i) ids.push_back(example.ids[piece.first_token + i]);
  const std::string text(piece.name.empty() ? piece.bytes.of(example.text) : std::string_view(piece.name));
  const int marks = int{piece.is_label} + 2 * int{piece.is_cuda};
  return base::Json::array({text, static_cast<int>(piece.role), marks, std::move(ids)});
}

base::Json page_data(const data::Dataset& dataset, const text::Tokenizer& tokenizer,
                     const PageOptions& options) {
  base::Json data = summary_to_json(summarize(dataset), dataset);
  const size_t shown = std::min(options.most_samples, dataset.examples.size());
  for (const char* list : {"dropped", "duplicates"}) {  // the totals tell how many there are
    base::Json::array_t& rows = data[list].get_ref<base::Json::array_t&>();
    rows.resize(std::min(rows.size(), options.most_samples));
  }
  data["title"] = options.title;
  data["roles"] = base::Json::array();
  for (size_t role = 0; role < kRoles; ++role) data["roles"].push_back(name_of(static_cast<Role>(role)));
  data["samples"] = base::Json::array();
  for (size_t i = 0; i < shown; ++i)
    data["samples"].push_back(sample_for_page(dataset.examples[i], tokenizer));
  return data;
}

}  // namespace

base::Json sample_for_page(const data::Example& example, const text::Tokenizer& tokenizer) {
  base::Json sample = counts_to_json(example);
  base::Json pieces = base::Json::array();
  for (const ShownPiece& piece : pieces_of_example(example, tokenizer))
    pieces.push_back(piece_to_json(example, piece));
  base::Json regions = base::Json::array();
  for (const cuda_source::Region& region : example.regions) {
    regions.push_back(base::Json::array({static_cast<int>(role_of(region.kind)), region.name}));
  }
  sample["pieces"] = std::move(pieces);
  sample["regions"] = std::move(regions);
  return sample;
}

std::string render_page(const data::Dataset& dataset, const text::Tokenizer& tokenizer,
                        const PageOptions& options) {
  return base::fill_page(kInspectPage,
                         {{"title", base::html_escaped(options.title)},
                          {"data", base::json_for_script(page_data(dataset, tokenizer, options))}});
}

}  // namespace cuset::study
