#include "text/tokenizer/tokenizer_parts.h"

#include "base/error.h"
#include "text/tokenizer/tokenizer_file.h"

namespace cuset::text {
namespace {

std::vector<BpeModel::NamedMerge> read_merges(const TokenizerFile& file, const Vocabulary& vocabulary,
                                              const std::string& name) {
  std::vector<BpeModel::NamedMerge> merges;
  merges.reserve(file.merges.size());
  const std::string_view names = file.merge_names;
  const auto find = [&](size_t begin, size_t end, size_t rank) {
    const uint32_t id = vocabulary.find(names.substr(begin, end - begin));
    if (id == kNoToken) {
      throw base::Error("{}: model.merges[{}]: the token {} is not in the vocabulary", name, rank,
                        base::in_quotes(names.substr(begin, end - begin)))
          .with_remedy("the file is damaged; fetch it again");
    }
    return id;
  };
  for (size_t rank = 0; rank < file.merges.size(); ++rank) {
    const auto& [begin, middle, end] = file.merges[rank];
    merges.push_back({find(begin, middle, rank), find(middle, end, rank), find(begin, end, rank)});
  }
  return merges;
}

void expect_null_or_empty(const base::JsonCursor& value) {
  if (!value.is_absent() && !value.string().empty()) value.refuse("is set; only null is supported");
}

void check_model(const base::JsonCursor& model, bool has_vocabulary) {
  const base::JsonCursor type = model.get("type");
  if (!type.is_absent() && type.string() != "BPE") {
    type.refuse(fmt::format("is {}; only \"BPE\" is supported", base::in_quotes(type.string())));
  }
  model.expect_only({"type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix",
                     "fuse_unk", "byte_fallback", "ignore_merges"});
  if (!has_vocabulary) model.refuse("lacks the object 'vocab'");
  if (!model.get("dropout").is_absent()) model.get("dropout").refuse("is set; only null is supported");
  expect_null_or_empty(model.get("continuing_subword_prefix"));
  expect_null_or_empty(model.get("end_of_word_suffix"));
}

BpeModel::Options read_model_options(const base::JsonCursor& model, const Vocabulary& vocabulary,
                                     bool byte_level) {
  BpeModel::Options options;
  options.byte_level = byte_level;
  options.ignore_merges = model.get("ignore_merges").boolean_or(false);
  options.byte_fallback = model.get("byte_fallback").boolean_or(false);
  options.fuse_unk = model.get("fuse_unk").boolean_or(false);
  if (const base::JsonCursor unk = model.get("unk_token"); !unk.is_absent()) {
    options.unk = vocabulary.find(unk.string());
    if (options.unk == kNoToken) {
      unk.refuse(fmt::format("is {}, which is not in the vocabulary", base::in_quotes(unk.string())));
    }
  }
  return options;
}

// Ids of base-vocabulary tokens that are control tokens, by id; empty if there are none.
std::vector<bool> control_in_vocabulary(const TokenizerParts& parts, uint32_t size) {
  std::vector<bool> is_control;
  for (size_t i = 0; i < parts.added_tokens.size(); ++i) {
    const uint32_t id = parts.added_tokens[i].id;
    if (!parts.added_is_control[i] || id >= size) continue;
    is_control.resize(size);
    is_control[id] = true;
  }
  return is_control;
}

void read_added(const base::JsonCursor& section, TokenizerParts& parts) {
  const Vocabulary& vocabulary = parts.model.vocabulary();
  parts.added_tokens = read_added_tokens(section, vocabulary);
  parts.added_by_id.assign(vocabulary.size(), kNoToken);
  for (uint32_t i = 0; i < parts.added_tokens.size(); ++i) {
    const AddedToken& token = parts.added_tokens[i];
    if (token.id >= parts.added_by_id.size()) parts.added_by_id.resize(token.id + 1, kNoToken);
    parts.added_by_id[token.id] = i;
    parts.added_is_control.push_back(token.is_control());
  }
  parts.raw_matcher = AddedTokenMatcher(parts.added_tokens, false, nullptr);
  parts.normalized_matcher = AddedTokenMatcher(parts.added_tokens, true, parts.normalizer.get());
}

void check_post_processor(const base::JsonCursor& section, const TokenizerParts& parts) {
  for (const auto* ids : {&parts.post_processor.before, &parts.post_processor.after}) {
    for (const uint32_t id : *ids) {
      if (id >= parts.vocab_size())
        section.refuse(fmt::format("uses the id {}, which is not in the vocabulary", id));
    }
  }
}

void check_document(const base::JsonCursor& document) {
  document.expect_only({"version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer",
                        "post_processor", "decoder", "model"});
  const base::JsonCursor version = document.get("version");
  if (!version.is_absent() && version.string() != "1.0") {
    version.refuse(fmt::format("is {}; only \"1.0\" is supported", base::in_quotes(version.string())));
  }
}

}  // namespace

std::unique_ptr<EncodeScratch> ScratchPool::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return std::make_unique<EncodeScratch>();
  auto scratch = std::move(free_.back());
  free_.pop_back();
  return scratch;
}

void ScratchPool::give_back(std::unique_ptr<EncodeScratch> scratch) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(scratch));
}

std::string TokenizerParts::token_name(uint32_t id) const {
  const AddedToken* added = added_token(id);
  return added != nullptr ? added->content : std::string(model.vocabulary().name(id));
}

std::unique_ptr<TokenizerParts> read_tokenizer_parts(std::string_view text, const std::string& name) {
  TokenizerFile file = parse_tokenizer_file(text, name);
  const base::JsonCursor document(file.document, name);
  check_document(document);
  check_model(document.at("model"), file.has_vocabulary);

  auto parts = std::make_unique<TokenizerParts>();
  parts->name = name;
  parts->normalizer = read_normalizer(document.get("normalizer"));
  parts->pre_tokenizers = read_pre_tokenizers(document.get("pre_tokenizer"));
  parts->decoder = read_decoder(document.get("decoder"));
  parts->post_processor = read_post_processor(document.get("post_processor"));

  Vocabulary vocabulary(std::move(file.vocabulary), name + ": model.vocab");
  const auto options = read_model_options(document.at("model"), vocabulary, parts->pre_tokenizers.byte_level);
  const auto merges = read_merges(file, vocabulary, name);
  parts->model = BpeModel(std::move(vocabulary), merges, options);

  read_added(document.get("added_tokens"), *parts);
  check_post_processor(document.get("post_processor"), *parts);
  auto control = control_in_vocabulary(*parts, parts->model.vocabulary().size());
  if (!control.empty()) parts->model.set_control_tokens(std::move(control), merges);
  return parts;
}

}  // namespace cuset::text
