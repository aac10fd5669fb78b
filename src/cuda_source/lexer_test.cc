#include "cuda_source/lexer.h"

#include <gtest/gtest.h>

namespace cuset::cuda_source {
namespace {

// Tokens in short: identifiers and punctuators as they are, others with a letter; `'` marks directives, `!`
// what is not terminated. Tokens are separated by one blank, blanks inside a token become `_` and line ends
// `/`.
std::string brief(std::string_view text) {
  std::string result;
  for (const Token& token : lex(text)) {
    static constexpr std::string_view kLetters = "insrcpLLHhko";
    const char letter = kLetters[static_cast<size_t>(token.kind)];
    if (!result.empty()) result += ' ';
    if (letter != 'i' && letter != 'p') result += std::string(1, letter) + ":";
    std::string shown = spelling(text, token);
    for (char& c : shown) c = c == ' ' ? '_' : c == '\n' ? '/' : c;
    result += shown;
    if (token.has(kInDirective)) result += '\'';
    if (token.has(kUnterminated)) result += '!';
  }
  return result;
}

struct Case {
  std::string_view text;
  std::string_view tokens;
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(brief(c.text), c.tokens) << c.text;
}

TEST(Lexer, NamesAndNumbers) {
  check({
      {"", ""},
      {" \t\r\n", ""},
      {"a _b $c d9", "a _b $c d9"},
      {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9"},
      {"0 12 1'000'000 0x1F'FF 0b1010'1010", "n:0 n:12 n:1'000'000 n:0x1F'FF n:0b1010'1010"},
      {"1.5f 1e-5 1E+5f .5 5. 0x1.8p-3", "n:1.5f n:1e-5 n:1E+5f n:.5 n:5. n:0x1.8p-3"},
      {"1u 1ULL 10_km 1z", "n:1u n:1ULL n:10_km n:1z"},
      {"1-2", "n:1 - n:2"},
      {"1e", "n:1e"},
      {"1..2", "n:1..2"},
      {"a.b", "a . b"},
      {"a.5", "a n:.5"},
      {"x1'y", "x1 c:'y!"},
      {"1'", "n:1 c:'!"},
      {"0xe+1", "n:0xe+1"},
  });
}

TEST(Lexer, StringsAndCharacters) {
  check({
      {R"("a" 'b')", R"(s:"a" c:'b')"},
      {R"("a\"b" '\'' '\\')", R"(s:"a\"b" c:'\'' c:'\\')"},
      {R"("\\" x)", R"(s:"\\" x)"},
      {"\"a\nb", "s:\"a! b"},
      {"'a\nb", "c:'a! b"},
      {"\"abc", "s:\"abc!"},
      {"\"abc\\", "s:\"abc\\!"},
      {"\"abc\\\ndef\" x", "s:\"abcdef\" x"},
      {"\"abc\\\r\ndef\" x", "s:\"abcdef\" x"},
      {"\"abc\\  \ndef\" x", "s:\"abcdef\" x"},
      {R"(L"a" u"b" U"c" u8"d" L'e' u8'f')", R"(s:L"a" s:u"b" s:U"c" s:u8"d" c:L'e' c:u8'f')"},
      {R"(x"a")", R"(x s:"a")"},
      {R"("a"_s "b"s)", R"(s:"a" _s s:"b" s)"},
      {R"("// no comment" x)", R"(s:"//_no_comment" x)"},
      {R"("/* no comment" x)", R"(s:"/*_no_comment" x)"},
      {R"x("k<<<1,2>>>()")x", R"x(s:"k<<<1,2>>>()")x"},
      {R"('"' x '"')", R"(c:'"' x c:'"')"},
      {"\"tab\\\tx\"", "s:\"tab\\\tx\""},
  });
}

TEST(Lexer, RawStringHidesLaunchSyntax) {
  check({
      {"R\"(a)\" x", "r:R\"(a)\" x"},
      {"R\"(k<<<1,2>>>(\"x\"))\" y", "r:R\"(k<<<1,2>>>(\"x\"))\" y"},
      {"R\"xy(a)\" b)xy\" c", "r:R\"xy(a)\"_b)xy\" c"},
      {"LR\"(a)\" uR\"(b)\" UR\"(c)\" u8R\"(d)\"", "r:LR\"(a)\" r:uR\"(b)\" r:UR\"(c)\" r:u8R\"(d)\""},
      {"R\"(a\nb\\\nc)\" d", "r:R\"(a/b\\/c)\" d"},
      {"R\"(a", "r:R\"(a!"},
      {"R\"x(a)\"", "r:R\"x(a)\"!"},
      {"R\"a b(c)\"", "s:R\"a_b(c)\""},
      {"R\"12345678901234567(c)\"", "s:R\"12345678901234567(c)\""},
      {"R\"1234567890123456(c)1234567890123456\" x", "r:R\"1234567890123456(c)1234567890123456\" x"},
      {"R\"\\(c)\"", "s:R\"\\(c)\""},
      {"R\"", "s:R\"!"},
      {"XR\"(a)\"", "XR s:\"(a)\""},
      {"R\"(// /* ' )\" z", "r:R\"(//_/*_'_)\" z"},
      {"R'a'", "R c:'a'"},
  });
}

TEST(Lexer, Comments) {
  check({
      {"a // b\nc", "a k://_b c"},
      {"a /* b */ c", "a k:/*_b_*/ c"},
      {"a /* b\nc */ d", "a k:/*_b/c_*/ d"},
      {"a /* b", "a k:/*_b!"},
      {"/*/ a */ b", "k:/*/_a_*/ b"},
      {"/**/a", "k:/**/ a"},
      {"// a \\\nb\nc", "k://_a_b c"},
      {"// a \\\r\nb\r\nc", "k://_a_b\r c"},
      {"// a \\ \nb\nc", "k://_a_b c"},
      {"// it's \"open", "k://_it's_\"open"},
      {"// <<< */", "k://_<<<_*/"},
      {"a/b/c", "a / b / c"},
      {"a/\\\n/b\nc", "a k://b c"},
      {"a/\\\n*b*/c", "a k:/*b*/ c"},
      {"//", "k://"},
      {"/*", "k:/*!"},
      {"/* // */ a", "k:/*_//_*/ a"},
  });
}

TEST(Lexer, Punctuators) {
  check({
      {"a::b->c.d", "a :: b -> c . d"},
      {"a+=b-=c*=d/=e%=f&=g|=h^=i<<=j>>=k", "a += b -= c *= d /= e %= f &= g |= h ^= i <<= j >>= k"},
      {"a==b!=c<=d>=e<=>f", "a == b != c <= d >= e <=> f"},
      {"a&&b||c++ --d", "a && b || c ++ -- d"},
      {"...", "..."},
      {"a.*b->*c", "a .* b ->* c"},
      {"a##b", "a ## b"},
      {"<% %> <: :>", "<% %> <: :>"},
      {"a<::b>", "a < :: b >"},
      {"a<:::b", "a <: :: b"},
      {"?:;,()[]{}~!", "? : ; , ( ) [ ] { } ~ !"},
      {"@ ` \\", "o:@ o:` o:\\"},
      {"a\x01z", "a o:\x01 z"},
      {"+\\\n+a", "++ a"},
      {"-\\\n>a", "-> a"},
  });
}

TEST(Lexer, Splices) {
  check({
      {"thread\\\nIdx", "threadIdx"},
      {"__glo\\\r\nbal__", "__global__"},
      {"a \\\n b", "a b"},
      {"1\\\n23", "n:123"},
      {"a\\\n", "a"},
      {"a\\ \nb", "ab"},
      {"a\\b", "a o:\\ b"},
      {"<\\\n<\\\n<a>>>", "L:<<< a L:>>>"},
  });
  EXPECT_EQ(lex("__glo\\\nbal__").front().word, Keyword::kGlobal);
}

TEST(Lexer, Directives) {
  check({
      {"#define N 3\nx", "H:#' define' N' n:3' x"},
      {"  # define N\nx", "H:#' define' N' x"},
      {"#define N \\\n 3\nx", "H:#' define' N' n:3' x"},
      {"#define N /* a\nb */ 3\nx", "H:#' define' N' k:/*_a/b_*/' n:3' x"},
      {"#define N // a \\\n b\nx", "H:#' define' N' k://_a__b' x"},
      {"/* a */ #define N\nx", "k:/*_a_*/ H:#' define' N' x"},
      {"a #b", "a # b"},
      {"#include <a/*b.h>\nx", "H:#' include' h:<a/*b.h>' x"},
      {"#include \"a.h\"\nx", "H:#' include' s:\"a.h\"' x"},
      {"#include <a\nx", "H:#' include' h:<a'! x"},
      {"#error it's bad\nx", "H:#' error' it' c:'s_bad'! x"},
      {"#\nx", "H:#' x"},
      {"#if a<b\nx", "H:#' if' a' <' b' x"},
      {"%:define N\nx", "H:%:' define' N' x"},
      {"#define K k<<<1,2>>>()\nx", "H:#' define' K' k' L:<<<' n:1' ,' n:2' L:>>>' (' )' x"},
      {"#define S #x\ny", "H:#' define' S' #' x' y"},
      {"#pragma unroll\nfor", "H:#' pragma' unroll' for"},
      {"#define R R\"(a\nb)\"\nx", "H:#' define' R' r:R\"(a/b)\"' x"},
  });
}

TEST(Lexer, LaunchBracketsAgainstTemplatesAndShifts) {
  check({
      {"k<<<1,2>>>()", "k L:<<< n:1 , n:2 L:>>> ( )"},
      {"k <<< 1 >>> ()", "k L:<<< n:1 L:>>> ( )"},
      {"a<b<c<d>>>", "a < b < c < d > > >"},
      {"a<b<c<d>>> x;", "a < b < c < d > > > x ;"},
      {"foo<1><<<g,b>>>", "foo < n:1 > L:<<< g , b L:>>>"},
      {"x >> 3", "x > > n:3"},
      {"x >>> 3", "x > > > n:3"},
      {"x << 3", "x << n:3"},
      {"k<T, (N>>1)><<<a, b>>>()", "k < T , ( N > > n:1 ) > L:<<< a , b L:>>> ( )"},
      {"k<<<f<A<B<int>>>(), 2>>>()", "k L:<<< f < A < B < int > > > ( ) , n:2 L:>>> ( )"},
      {"k<<<g, f<A<int>>>>>()", "k L:<<< g , f < A < int > > L:>>> ( )"},
      {"k<<<g, f<int>>>>()", "k L:<<< g , f < int > L:>>> ( )"},
      {"k<<<n>>1, 2>>>()", "k L:<<< n > > n:1 , n:2 L:>>> ( )"},
      {"k<<<(n>>>1), 2>>>()", "k L:<<< ( n > > > n:1 ) , n:2 L:>>> ( )"},
      {"k<<<a<b?1:2, 3>>>()", "k L:<<< a < b ? n:1 : n:2 , n:3 L:>>> ( )"},
      {"k<<<a>b?1:2, 3>>>()", "k L:<<< a > b ? n:1 : n:2 , n:3 L:>>> ( )"},
      {"k<<<x[a>>>b], 3>>>()", "k L:<<< x [ a > > > b ] , n:3 L:>>> ( )"},
      {"k<<<dim3{1,2}, 3>>>()", "k L:<<< dim3 { n:1 , n:2 } , n:3 L:>>> ( )"},
      {"k<<<1,2>>>(f<A<B<C>>>())", "k L:<<< n:1 , n:2 L:>>> ( f < A < B < C > > > ( ) )"},
      {"k<<<1,2>>>(); a<b<c<d>>> e;", "k L:<<< n:1 , n:2 L:>>> ( ) ; a < b < c < d > > > e ;"},
      {"a<b<c<d>>> e; k<<<1,2>>>();", "a < b < c < d > > > e ; k L:<<< n:1 , n:2 L:>>> ( ) ;"},
      {"k<<<1,2>>>(), j<<<3,4>>>()", "k L:<<< n:1 , n:2 L:>>> ( ) , j L:<<< n:3 , n:4 L:>>> ( )"},
      {"CHECK((k<<<1,2>>>()))", "CHECK ( ( k L:<<< n:1 , n:2 L:>>> ( ) ) )"},
      {"k<<<1,2>>(); x>>>y", "k L:<<< n:1 , n:2 > > ( ) ; x > > > y"},
      {"k<<<1,2", "k L:<<< n:1 , n:2"},
      {"k<<<1,2>>", "k L:<<< n:1 , n:2 > >"},
      {"operator<<<T>(a)", "operator << < T > ( a )"},
      {"<<<<<<< HEAD", "<< << << < HEAD"},
      {"k<<<<1>>>>()", "k << << n:1 > > > > ( )"},
      {"k<<</* g */1,2/* b */>>>()", "k L:<<< k:/*_g_*/ n:1 , n:2 k:/*_b_*/ L:>>> ( )"},
      {"k<<<1,\n#if A\n2\n#else\n3>>4\n#endif\n>>>()",
       "k L:<<< n:1 , H:#' if' A' n:2 H:#' else' n:3 > > n:4 H:#' endif' L:>>> ( )"},
      {"k<<<g,b>>>=3", "k L:<<< g , b > >>= n:3"},
      {"std::cout << a << b;", "std :: cout << a << b ;"},
      {"k<<<grid, sizeof(std::array<std::pair<A<int>>>)>>>()",
       "k L:<<< grid , sizeof ( std :: array < std :: pair < A < int > > > ) L:>>> ( )"},
  });
}

TEST(Lexer, TokensKeepWords) {
  EXPECT_EQ(find_word("__global__"), Keyword::kGlobal);
  EXPECT_EQ(find_word("__global"), Keyword::kNone);
  EXPECT_EQ(find_word("threadIdx"), Keyword::kThreadIndex);
  EXPECT_EQ(find_word("cudaLaunchKernelExC"), Keyword::kLaunchConfig);
  EXPECT_EQ(find_word(""), Keyword::kNone);
}

TEST(Lexer, DumpNamesKinds) {
  const std::string_view text = "k<<<1>>>(\"a\") // b";
  EXPECT_EQ(dump_tokens(text, lex(text)),
            "identifier k\nlaunch_open <<<\nnumber 1\nlaunch_close >>>\npunctuation (\nstring "
            "\"a\"\npunctuation )\n"
            "comment // b\n");
}

// Between tokens lie only blanks and splices, whatever the bytes are.
TEST(Lexer, TokensCoverAnyBytes) {
  uint32_t state = 1;
  const std::string_view alphabet = "<>\"'\\\n /*#R()aeu8L_.0-+=:%{}[];,\r\t\x80\x01";
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i)
      text += alphabet[(state = state * 1664525 + 1013904223) / 65536 % alphabet.size()];
    size_t covered = 0;
    for (const Token& token : lex(text)) {
      ASSERT_LE(covered, token.begin) << text;
      ASSERT_LT(token.begin, token.end) << text;
      ASSERT_LE(token.end, text.size()) << text;
      const std::string_view gap = std::string_view(text).substr(covered, token.begin - covered);
      ASSERT_EQ(gap.find_first_not_of(" \t\r\n\\"), std::string_view::npos) << text;
      covered = token.end;
    }
    ASSERT_EQ(std::string_view(text).substr(covered).find_first_not_of(" \t\r\n\\"), std::string_view::npos)
        << text;
  }
}

}  // namespace
}  // namespace cuset::cuda_source
