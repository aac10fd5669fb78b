// The tokens with which a model ends its answers, as its folder names them: eos_token_id of
// generation_config.json and of config.json (a number or a list), eos_token of tokenizer_config.json. All of
// them count: folders of tuned models often change only one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "text/tokenizer/tokenizer.h"

namespace cuset::generate {

// Sorted, each once; empty where the folder names none. Throws Error naming file and key for what is no
// token.
std::vector<int64_t> read_stop_tokens(const std::filesystem::path& folder, const text::Tokenizer& tokenizer);

}  // namespace cuset::generate
