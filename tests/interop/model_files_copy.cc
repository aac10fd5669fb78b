// Reads a model folder and an adapter of it and writes both again: model_files_copy MODEL ADAPTER OUT makes
// OUT/model (in small shards) and OUT/adapter. model_files_against_peft.py compares.
#include <cstdio>

#include "base/error.h"
#include "model/adapter.h"
#include "model/model_folder.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: model_files_copy MODEL ADAPTER OUT\n", stderr);
    return 2;
  }
  try {
    const std::filesystem::path out = argv[3];
    const cuset::model::ModelConfig config = cuset::model::read_model_config(argv[1]);
    const auto weights = cuset::model::load_model_weights(argv[1], config, {.type = config.type});
    cuset::model::save_model_folder(out / "model", weights, {.source = argv[1], .shard_bytes = 4096});
    cuset::model::write_adapter(out / "adapter", cuset::model::read_adapter(argv[2], config));
  } catch (const cuset::base::Error& error) {
    std::fprintf(stderr, "%s\n", error.one_line().c_str());
    return 1;
  }
  return 0;
}
