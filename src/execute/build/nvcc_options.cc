#include "execute/build/nvcc_options.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/error.h"

namespace cuset::execute {
namespace {

enum class Use {
  kRename,  // a setting of ours: `ours` is its flag
  kPass,    // nvcc's business
  kIgnore,  // means nothing here
  kRefuse,  // makes something else than a program
};

struct NvccOption {
  std::string_view name;  // without its dashes; nvcc takes one dash or two
  Use use;
  bool has_value = false;  // behind '=' or as the next word
  std::string_view ours = {};
};

// What --help of nvcc 12 and 13 lists, without the options that only make sense in Windows or for libraries.
constexpr NvccOption kOptions[] = {
    {"std", Use::kRename, true, "--std"},
    {"arch", Use::kRename, true, "--arch"},
    {"gpu-architecture", Use::kRename, true, "--arch"},
    {"I", Use::kRename, true, "--include"},
    {"include-path", Use::kRename, true, "--include"},
    {"isystem", Use::kRename, true, "--include"},
    {"system-include", Use::kRename, true, "--include"},
    {"D", Use::kRename, true, "--define"},
    {"define-macro", Use::kRename, true, "--define"},
    {"l", Use::kRename, true, "--library"},
    {"library", Use::kRename, true, "--library"},
    {"x", Use::kRename, true, "--language"},
    {"rdc", Use::kRename, true, "--rdc"},
    {"relocatable-device-code", Use::kRename, true, "--rdc"},
    {"extended-lambda", Use::kPass},
    {"expt-extended-lambda", Use::kPass},
    {"expt-relaxed-constexpr", Use::kPass},
    {"use_fast_math", Use::kPass},
    {"ftz", Use::kPass, true},
    {"prec-div", Use::kPass, true},
    {"prec-sqrt", Use::kPass, true},
    {"fmad", Use::kPass, true},
    {"maxrregcount", Use::kPass, true},
    {"default-stream", Use::kPass, true},
    {"restrict", Use::kPass},
    {"o", Use::kIgnore, true},
    {"output-file", Use::kIgnore, true},
    {"gencode", Use::kIgnore, true},
    {"generate-code", Use::kIgnore, true},
    {"code", Use::kIgnore, true},
    {"gpu-code", Use::kIgnore, true},
    {"L", Use::kIgnore, true},
    {"library-path", Use::kIgnore, true},
    {"Xcompiler", Use::kIgnore, true},
    {"compiler-options", Use::kIgnore, true},
    {"Xlinker", Use::kIgnore, true},
    {"linker-options", Use::kIgnore, true},
    {"Xptxas", Use::kIgnore, true},
    {"ptxas-options", Use::kIgnore, true},
    {"Xcudafe", Use::kIgnore, true},
    {"Xnvlink", Use::kIgnore, true},
    {"nvlink-options", Use::kIgnore, true},
    {"Xarchive", Use::kIgnore, true},
    {"Xfatbin", Use::kIgnore, true},
    {"ccbin", Use::kIgnore, true},
    {"compiler-bindir", Use::kIgnore, true},
    {"cudart", Use::kIgnore, true},
    {"cudadevrt", Use::kIgnore, true},
    {"m", Use::kIgnore, true},
    {"machine", Use::kIgnore, true},
    {"m64", Use::kIgnore},
    {"threads", Use::kIgnore, true},
    {"t", Use::kIgnore, true},
    {"t0", Use::kIgnore},
    {"split-compile", Use::kIgnore, true},
    {"dopt", Use::kIgnore, true},
    {"dlink-time-opt", Use::kIgnore},
    {"dlto", Use::kIgnore},
    {"lto", Use::kIgnore},
    {"g", Use::kIgnore},
    {"debug", Use::kIgnore},
    {"G", Use::kIgnore},
    {"device-debug", Use::kIgnore},
    {"pg", Use::kIgnore},
    {"lineinfo", Use::kIgnore},
    {"generate-line-info", Use::kIgnore},
    {"extra-device-vectorization", Use::kIgnore},
    {"resource-usage", Use::kIgnore},
    {"res-usage", Use::kIgnore},
    {"allow-unsupported-compiler", Use::kIgnore},
    {"source-in-ptx", Use::kIgnore},
    {"w", Use::kIgnore},
    {"disable-warnings", Use::kIgnore},
    {"Werror", Use::kIgnore, true},
    {"diag-suppress", Use::kIgnore, true},
    {"diag-warn", Use::kIgnore, true},
    {"diag-error", Use::kIgnore, true},
    {"display-error-number", Use::kIgnore},
    {"no-display-error-number", Use::kIgnore},
    {"MD", Use::kIgnore},
    {"MMD", Use::kIgnore},
    {"MP", Use::kIgnore},
    {"MF", Use::kIgnore, true},
    {"MT", Use::kIgnore, true},
    {"objdir-as-tempdir", Use::kIgnore},
    {"time", Use::kIgnore, true},
    {"fPIC", Use::kIgnore},
    {"fopenmp", Use::kIgnore},
    {"pthread", Use::kIgnore},
    {"c", Use::kRefuse},
    {"compile", Use::kRefuse},
    {"dc", Use::kRefuse},
    {"device-c", Use::kRefuse},
    {"dw", Use::kRefuse},
    {"dlink", Use::kRefuse},
    {"device-link", Use::kRefuse},
    {"lib", Use::kRefuse},
    {"shared", Use::kRefuse},
    {"E", Use::kRefuse},
    {"preprocess", Use::kRefuse},
    {"ptx", Use::kRefuse},
    {"cubin", Use::kRefuse},
    {"fatbin", Use::kRefuse},
    {"M", Use::kRefuse},
};

// An option as it was typed: "-std=c++17" is std, c++17.
struct Typed {
  std::string name;
  std::optional<std::string> value;
};

Typed parse(std::string_view word) {
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  const size_t equals = word.find('=');
  if (equals == std::string_view::npos) return {std::string(word), std::nullopt};
  return {std::string(word.substr(0, equals)), std::string(word.substr(equals + 1))};
}

const NvccOption* find_option(std::string_view name) {
  const auto* found = std::find_if(std::begin(kOptions), std::end(kOptions),
                                   [&](const NvccOption& option) { return option.name == name; });
  return found == std::end(kOptions) ? nullptr : found;
}

// Letters whose value follows at once: -lcublas, -L/usr/lib. -D and -I are flags of ours in this form.
const NvccOption* letter_option(std::string_view word) {
  if (word.size() < 3 || word[0] != '-' || word[1] == '-') return nullptr;
  const bool has_value_at_once = word[1] == 'l' || word[1] == 'L' || word[1] == 'm';
  return has_value_at_once ? find_option(word.substr(1, 1)) : nullptr;
}

bool is_warning(std::string_view word) {
  return (word.starts_with("-W") && word != "-Werror") || word.starts_with("-fno-") ||
         word.starts_with("--Wno-");
}

// gnu++17 is c++17 here; architectures are named by their code.
std::string our_value(std::string_view flag, std::string value) {
  if (flag == "--std" && value.starts_with("gnu++")) value.replace(0, 3, "c");
  if (flag == "--arch" && value.starts_with("compute_")) value.replace(0, 8, "sm_");
  return value;
}

class Translation {
 public:
  explicit Translation(const std::vector<std::string>& words) : words_(words) {}

  std::vector<std::string> run() {
    for (next_ = 0; next_ < words_.size(); ++next_) translate(words_[next_]);
    return std::move(result_);
  }

 private:
  void translate(const std::string& word) {
    if (word.size() < 2 || word[0] != '-') {
      result_.push_back(word);
      return;
    }
    if (is_warning(word)) return;
    const Typed typed = parse(word);
    const NvccOption* option = find_option(typed.name);
    if (option != nullptr) return use(*option, word, typed.value);
    option = letter_option(word);
    if (option != nullptr) return use(*option, word, word.substr(2));
    result_.push_back(word);
  }

  void use(const NvccOption& option, const std::string& word, std::optional<std::string> value) {
    if (option.has_value && !value) value = next_word(word);
    switch (option.use) {
      case Use::kRefuse:
        throw base::UsageError("{} makes no program that could run", word)
            .with_remedy("give all sources to one `cuset run`, without {}", word);
      case Use::kIgnore:
        return;
      case Use::kPass:
        result_.push_back("--nvcc-flag=--" + std::string(option.name) + (value ? "=" + *value : ""));
        return;
      case Use::kRename:
        return rename(option, *value);
    }
  }

  void rename(const NvccOption& option, const std::string& value) {
    // Those that mean "whatever is here" are our default.
    if (option.ours == "--arch" && (value == "native" || value.starts_with("all"))) return;
    if (option.ours == "--rdc") {
      result_.emplace_back(value == "true" ? "--rdc" : "--no-rdc");
    } else {
      result_.push_back(std::string(option.ours) + "=" + our_value(option.ours, value));
    }
  }

  std::string next_word(const std::string& option) {
    if (next_ + 1 >= words_.size()) {
      throw base::UsageError("{}: its value is missing", option)
          .with_remedy("`cuset run --help` lists what it takes");
    }
    return words_[++next_];
  }

  const std::vector<std::string>& words_;
  std::vector<std::string> result_;
  size_t next_ = 0;
};

// Options of the host's compiler with a value of their own word, where nvcc has none of that name.
constexpr std::string_view kHostOptionsWithValue[] = {
    "include", "imacros", "iquote", "idirafter", "MQ", "T", "u", "z", "U", "Xassembler", "Xpreprocessor"};

class LineReader {
 public:
  explicit LineReader(const std::vector<std::string>& words) : words_(words) {}

  CompileLine run() {
    for (next_ = 0; next_ < words_.size(); ++next_) read(words_[next_]);
    return std::move(line_);
  }

 private:
  void read(const std::string& word) {
    if (word.size() < 2 || word[0] != '-') return line_.inputs.push_back(word);
    if (is_warning(word)) return;
    const Typed typed = parse(word);
    if (typed.name == "iquote" || typed.name == "idirafter")
      return line_.include_folders.push_back(value_of(typed.value));
    if (const NvccOption* option = find_option(typed.name)) {
      return take(*option, option->has_value ? value_of(typed.value) : typed.value.value_or(""));
    }
    if (word.starts_with("-isystem")) return line_.include_folders.push_back(word.substr(8));
    for (const std::string_view letter : {"D", "I", "l", "L", "o", "x"})
      if (word.size() > 2 && word[1] == letter[0] && word[0] == '-')
        return take(*find_option(letter), word.substr(2));
    const auto* known =
        std::find(std::begin(kHostOptionsWithValue), std::end(kHostOptionsWithValue), typed.name);
    if (known != std::end(kHostOptionsWithValue) && !typed.value) value_of(std::nullopt);
    if (word == "-S" || word == "-MM") line_.makes = CompileLine::Makes::kNothing;
  }

  void take(const NvccOption& option, const std::string& value) {
    if (option.use == Use::kRefuse) return take_kind(option.name);
    if (option.name == "o" || option.name == "output-file") line_.output = value;
    if (option.name == "L" || option.name == "library-path") line_.library_folders.push_back(value);
    if (option.use == Use::kPass)
      line_.nvcc_flags.push_back("--" + std::string(option.name) + (value.empty() ? "" : "=" + value));
    if (option.use == Use::kRename) take_setting(option.ours, value);
  }

  void take_setting(std::string_view ours, const std::string& value) {
    if (ours == "--std") line_.standard = our_standard(value);
    if (ours == "--include") line_.include_folders.push_back(value);
    if (ours == "--define") line_.defines.push_back(value);
    if (ours == "--library") line_.libraries.push_back(value);
    if (ours == "--language") line_.all_cuda = value == "cu";
    if (ours == "--rdc") line_.relocatable = value == "true";
  }

  void take_kind(std::string_view name) {
    const bool of_object =
        name == "c" || name == "compile" || name.starts_with("dc") || name == "device-c" || name == "dw";
    const bool of_library = name == "shared" || name == "lib";
    line_.relocatable = line_.relocatable || name == "dc" || name == "device-c";
    line_.makes = of_object    ? CompileLine::Makes::kObject
                  : of_library ? CompileLine::Makes::kLibrary
                               : CompileLine::Makes::kNothing;
  }

  std::string value_of(const std::optional<std::string>& typed) {
    if (typed) return *typed;
    return next_ + 1 < words_.size() ? words_[++next_] : "";
  }

  const std::vector<std::string>& words_;
  CompileLine line_;
  size_t next_ = 0;
};

}  // namespace

CompileLine read_compile_line(const std::vector<std::string>& words) { return LineReader(words).run(); }

std::string our_standard(std::string_view name) {
  const size_t plus = name.find("++");
  if (plus == name.npos) return "";
  const std::string_view year = name.substr(plus + 2);
  if (year == "98" || year == "03" || year == "0x" || year == "11") return "c++11";
  if (year == "1y" || year == "14") return "c++14";
  if (year == "1z" || year == "17") return "c++17";
  return "c++20";
}

std::vector<std::string> translate_nvcc_options(const std::vector<std::string>& words) {
  return Translation(words).run();
}

}  // namespace cuset::execute
