"""Makes random templates over the language that chat templates may use, with random variables.

Strings of the variables hold characters from U+0370 on; the templates themselves hold only characters below, so that a
character of the output tells where it came from.
"""

DATA_WORDS = ["", "αβγ", "Ωmega Σας", "привет мир", " ψ ", "漢字\n行", "x😀y", "λ,μ,ν", "a→b", "Σ", "<|ιμ_end|>", "ϐ'ϑ", 'ξ"ζ',
              "δ.ε", "\tτ\u2028υ", "ﬁn ﬂ", "ÎÏ", "θ{{ 1 }}θ"]
WORDS = ["", "a", "b", "abc", "Hello World", " x ", "a,b,c", "a-b c", "k", "name", "ß", "é\\n", "x\\ty", "0", "12", "-3", "1.5",
         "1e3", " 7 ", "true", "AbC", "%s", "{}", "<b>", "role"]


class TemplateMaker:
    def __init__(self, rng):
        self.rng = rng
        self.depth = 0
        self.names = []

    def pick(self, *options):
        return self.rng.choice(options)

    def chance(self, probability):
        return self.rng.random() < probability

    # Variables.

    def data(self, depth=0):
        kind = self.rng.random()
        if depth > 2 or kind < 0.4:
            return self.pick(*DATA_WORDS)
        if kind < 0.6:
            return self.pick(0, 1, 2, -3, 7, 2.5, -0.5, 1e20, True, False, None, 10)
        if kind < 0.8:
            return [self.data(depth + 1) for _ in range(self.rng.randrange(4))]
        return {self.pick("a", "b", "κ", "name", "items", "role"): self.data(depth + 1) for _ in range(self.rng.randrange(4))}

    def request(self):
        self.names = ["s", "t", "n", "xs", "ys", "d", "e", "undefined_name", "ms"]
        self.depth = 0
        variables = {
            "s": self.pick(*DATA_WORDS), "t": self.pick(*DATA_WORDS), "n": self.pick(0, 1, 3, -2, 2.5, True, None),
            "xs": [self.data(1) for _ in range(self.rng.randrange(5))],
            "ys": [self.pick(3, 1, 2, 2.0, -1) for _ in range(self.rng.randrange(5))],
            "d": {key: self.data(1) for key in self.rng.sample(["a", "b", "κ", "name", "get", "Z"], self.rng.randrange(5))},
            "e": self.data(), "ms": [{"role": self.pick("user", "α"), "content": self.pick(*DATA_WORDS), "n": i}
                                     for i in range(self.rng.randrange(4))]}
        return {"template": self.body(0), "variables": variables}

    # Expressions. Types are mixed up now and then, so that failures are compared too.

    def expr(self, wanted=None):
        self.depth += 1
        try:
            if self.depth > 4 or self.chance(0.25):
                return self.atom(wanted)
            kind = wanted if wanted and self.chance(0.98) else self.pick("str", "num", "list", "dict", "bool", "any")
            made = getattr(self, "expr_" + kind)()
            # Mostly in parentheses, so that what follows applies to all of it.
            simple = made.isidentifier() or made[0] in "([{" or self.chance(0.1)
            return made if simple else f"({made})"
        finally:
            self.depth -= 1

    def literal(self):
        word = self.pick(*WORDS)
        quote = self.pick("'", '"')
        return quote + word + quote

    def atom(self, wanted=None):
        if wanted == "str":
            return self.pick("s", "t", self.literal(), self.literal())
        if wanted == "num":
            return self.pick("n", "0", "1", "2", "3", "-1", "2.5", "10")
        if wanted == "list":
            return self.pick("xs", "ys", "[]", "[1, 2, 3]", "['b', 'a', 'C']", "ms", "(1, 'x')")
        if wanted == "dict":
            return self.pick("d", "{}", "{'a': 1, 'b': s}")
        if wanted == "bool":
            return self.pick("true", "false", "n", "s", "none", "xs")
        return self.pick("none", "true", "e", self.rng.choice(self.names), self.literal(), "1")

    def expr_any(self):
        return self.pick(
            lambda: self.atom(), lambda: f"({self.expr()} if {self.expr('bool')} else {self.expr()})",
            lambda: f"({self.expr()} if {self.expr('bool')})", lambda: f"({self.expr()} or {self.expr()})",
            lambda: f"({self.expr()} and {self.expr()})", lambda: f"{self.expr('list')}[{self.expr('num')}]",
            lambda: f"{self.expr('dict')}[{self.expr('str')}]", lambda: f"{self.expr('dict')}.{self.attribute()}",
            lambda: f"{self.expr('list')}|{self.pick('first', 'last', 'min', 'max', 'sum')}",
            lambda: f"{self.expr()}|default({self.expr()}{self.pick('', ', true')})",
            lambda: f"{self.expr('dict')}.get({self.expr('str')}{self.pick('', ', ' + self.atom())})",
            lambda: f"e.{self.attribute()}", lambda: f"ms[0].{self.pick('role', 'content', 'n', 'none')}")()

    def attribute(self):
        return self.pick("a", "b", "name", "items", "role", "Z", "missing", "get", "upper", "index")

    def expr_str(self):
        text = lambda: self.expr("str")  # noqa: E731
        return self.pick(
            lambda: self.atom("str"), lambda: f"({text()} + {text()})", lambda: f"({text()} ~ {self.expr()})",
            lambda: f"({text()} * {self.atom('num')})", lambda: f"{text()}[{self.slice()}]",
            lambda: f"{text()}[{self.atom('num')}]",
            lambda: f"{text()}.{self.pick('strip', 'lstrip', 'rstrip')}({self.pick('', self.literal(), text(), 'none')})",
            lambda: f"{text()}.{self.pick('upper', 'lower', 'title', 'capitalize')}()",
            lambda: f"{text()}|{self.pick('upper', 'lower', 'title', 'capitalize', 'trim', 'string', 'reverse')}",
            lambda: f"{self.expr()}|{self.pick('upper', 'trim', 'string', 'lower', 'title')}",
            lambda: f"{text()}.replace({text()}, {text()}{self.pick('', ', 1', ', -1', ', 0')})",
            lambda: f"{text()}|replace({text()}, {self.expr()}{self.pick('', ', 1')})",
            lambda: f"{self.expr('list')}|join({self.pick('', text(), self.literal())})",
            lambda: f"{text()}.join({self.expr('list')})", lambda: f"{self.expr()}|tojson{self.json_options()}",
            lambda: f"{text()}|indent{self.pick('', '(2)', '(1, true)', '(3, first=true, blank=true)', '(s)')}",
            lambda: f"{text()}.{self.pick('removeprefix', 'removesuffix')}({text()})",
            lambda: f"({self.pick(repr('%s-%s'), repr('[%s]'), repr('%d'), repr('%%'), text())} % {self.pick(self.expr(), '(s, n)')})",
            lambda: f"{self.pick(repr('{}{}'), repr('{0}:{1}'), repr('{a}'), text())}.format({self.expr()}, {self.expr()})",
            lambda: f"{text()}|{self.pick('trim', 'default')}({self.literal()})", lambda: f"({text()})",
            lambda: f"{self.literal()} {self.literal()}", lambda: f"{text()}|safe",
            lambda: f"{text()}.split({text()})|join('+')", lambda: f"{text()}|list|reverse|join")()

    def json_options(self):
        return self.pick("", "", "(indent=2)", "(ensure_ascii=true)", "(separators=(',', ':'))", "(sort_keys=true)",
                         "(indent=1, sort_keys=true)", "(indent='--')", "(indent=0)")

    def expr_num(self):
        number = lambda: self.expr("num")  # noqa: E731
        return self.pick(
            lambda: self.atom("num"), lambda: f"({number()} {self.pick('+', '-', '*', '/', '//', '%')} {number()})",
            lambda: f"({self.pick('n', '2', '3', '2.5', '0')} ** {self.pick('2', '3', '-1', '0', '0.5', 'n')})", lambda: f"-{number()}",
            lambda: f"{self.expr()}|{self.pick('length', 'count', 'int', 'float', 'abs')}",
            lambda: f"{self.expr('str')}|{self.pick('int', 'float', 'int(5)', 'float(2.5)', 'length', 'int(base=16)')}",
            lambda: f"{number()}|round{self.pick('', '(1)', '(2)', '(1, ' + repr('floor') + ')', '(method=' + repr('ceil') + ')')}",
            lambda: f"{self.expr('str')}.{self.pick('find', 'rfind', 'count', 'index')}({self.expr('str')})",
            lambda: f"{self.expr('list')}.{self.pick('index', 'count')}({self.expr()})",
            lambda: f"({number()} + {number()} * {number()})", lambda: f"ys|{self.pick('sum', 'max', 'min')}",
            lambda: f"(1 if {self.expr('bool')} else {number()})", lambda: f"+{number()}|abs")()

    def slice(self):
        part = lambda: self.pick("", "", "0", "1", "2", "-1", "-2", "n", "5")  # noqa: E731
        return f"{part()}:{part()}{self.pick('', '', ':', ':-1', ':2', ':-2', ':0')}"

    def expr_list(self):
        items = lambda: self.expr("list")  # noqa: E731
        attribute = repr(self.pick("role", "content", "n", "a", "0", "a.b", "missing"))
        test = repr(self.pick("string", "number", "none", "defined", "mapping", "iterable", "odd", "even", "true", "sequence"))
        return self.pick(
            lambda: self.atom("list"), lambda: f"[{', '.join(self.expr() for _ in range(self.rng.randrange(4)))}]",
            lambda: f"({self.expr()}, {self.expr()})", lambda: f"({items()} + {items()})", lambda: f"{items()}[{self.slice()}]",
            lambda: f"{items()}|list", lambda: f"{items()}|reverse{self.pick('', '|list')}",
            lambda: f"{items()}|sort{self.pick('', '(reverse=true)', '(case_sensitive=true)', '(attribute=' + attribute + ')')}",
            lambda: f"{items()}|unique{self.pick('', '(true)')}|list",
            lambda: f"{items()}|map({self.pick(repr('upper'), repr('string'), repr('length'), repr('tojson'), 'attribute=' + attribute)})|list",
            lambda: f"{items()}|{self.pick('select', 'reject')}({self.pick('', test)})|list",
            lambda: f"{items()}|{self.pick('selectattr', 'rejectattr')}({attribute}{self.pick('', ', ' + test, ', ' + repr('equalto') + ', ' + self.atom())})|list",
            lambda: f"{items()}|map({self.pick(repr('abs'), 'attribute=' + attribute + ', default=1')})",
            lambda: f"{self.expr('str')}.{self.pick('split', 'rsplit')}({self.pick('', self.expr('str'), 'none, 1', self.literal() + ', 1', 'maxsplit=1')})",
            lambda: f"{self.expr('str')}.splitlines({self.pick('', 'true')})", lambda: f"{self.expr('str')}|list",
            lambda: f"{self.expr('dict')}.{self.pick('items', 'keys', 'values')}(){self.pick('', '|list')}",
            lambda: f"{self.expr('dict')}|{self.pick('items', 'dictsort', 'list', 'dictsort(reverse=true)', 'dictsort(false, ' + repr('value') + ')')}",
            lambda: f"range({self.pick('3', '1, 5', '5, 0, -2', 'n', '0, 4, n')})", lambda: f"({items()} * {self.atom('num')})",
            lambda: f"ms|map(attribute={attribute})|list", lambda: f"{items()}.copy()")()

    def expr_dict(self):
        return self.pick(
            lambda: self.atom("dict"), lambda: self.atom("dict"), lambda: f"{{{self.literal()}: {self.expr()}, {self.expr('str')}: {self.expr()}}}",
            lambda: f"dict({self.pick('', 'd', 'd, ')}{self.pick('', 'a=1')})", lambda: f"{{1: {self.expr()}, true: 2, 'x': {self.expr()}}}",
            lambda: "ms[0]", lambda: f"dict({self.expr('list')})", lambda: f"{self.expr('dict')}.copy()")()

    def expr_bool(self):
        compare = self.pick("==", "!=", "<", "<=", ">", ">=", "in", "not in")
        test = self.pick("defined", "undefined", "none", "string", "mapping", "iterable", "sequence", "number", "integer", "float",
                         "boolean", "true", "false", "odd", "even", "divisibleby 2", "divisibleby(3)", "eq 1", "ne(2)", "in xs",
                         "in(ys)", "callable", "equalto s", "sameas none", "lt(2)", "ge 1")
        return self.pick(
            lambda: self.atom("bool"), lambda: f"({self.expr()} {compare} {self.expr()})",
            lambda: f"({self.expr('num')} {compare} {self.expr('num')})", lambda: f"({self.expr('str')} {compare} {self.expr('str')})",
            lambda: f"({self.expr()} in {self.expr(self.pick('list', 'str', 'dict'))})", lambda: f"not {self.expr('bool')}",
            lambda: f"({self.expr('num')} < {self.expr('num')} <= {self.expr('num')})",
            lambda: f"({self.expr('bool')} {self.pick('and', 'or')} {self.expr('bool')})",
            lambda: f"({self.expr()} is {self.pick('', 'not ')}{test})", lambda: f"{self.atom()} is {self.pick('', 'not ')}{test}",
            lambda: f"{self.expr('str')}.{self.pick('startswith', 'endswith')}({self.pick(self.expr('str'), '(' + self.literal() + ', s)')})")()

    # Statements.

    def tag(self, inside):
        return "{%" + self.pick("", "", "-", "+") + " " + inside + " " + self.pick("", "", "-", "+") + "%}"

    def space(self):
        return self.pick("", "", "\n", "  ", "\n  ", " \n\n ", "\t", "x", "é")

    def body(self, level, in_loop=False):
        parts = []
        for _ in range(self.rng.randrange(1, 4)):
            parts += [self.space(), self.statement(level, in_loop), self.space()]
        return "".join(parts)

    def output(self):
        return "{{" + self.pick("", "", "-") + " " + self.expr() + " " + self.pick("", "", "-") + "}}"

    def target(self):
        name = self.pick("v", "w", "s", "n", "xs")
        self.names.append(name)
        return name

    def statement(self, level, in_loop):
        if level > 3 or self.chance(0.45):
            return self.output()
        kinds = ["if_", "for_", "set_", "set_", "set_block", "comment", "raw", "macro", "namespace", "text", "generation"]
        if in_loop:
            kinds += ["loop_variable", "loop_variable", "control"]
        return getattr(self, "make_" + self.rng.choice(kinds))(level, in_loop)

    def make_if_(self, level, in_loop):
        parts = [self.tag("if " + self.expr("bool")), self.body(level + 1, in_loop)]
        while self.chance(0.3):
            parts += [self.tag("elif " + self.expr("bool")), self.body(level + 1, in_loop)]
        if self.chance(0.4):
            parts += [self.tag("else"), self.body(level + 1, in_loop)]
        return "".join(parts) + self.tag("endif")

    def make_for_(self, level, in_loop):
        target = self.pick("x", "x", "v", "s", "a, b", "k, v")
        source = self.expr("dict") + ".items()" if "," in target and self.chance(0.7) else self.expr("list")
        condition = f" if {self.pick('x', 'v', 's')} {self.pick('is string', '!= 1', 'in xs', 'is defined')}" if self.chance(0.2) else ""
        self.names += [name.strip() for name in target.split(",")]
        parts = [self.tag(f"for {target} in {source}{condition}"), self.body(level + 1, True)]
        if self.chance(0.2):
            parts += [self.tag("else"), self.body(level + 1, in_loop)]
        return "".join(parts) + self.tag("endfor")

    def make_loop_variable(self, level, in_loop):
        attribute = self.pick("index", "index0", "first", "last", "length", "revindex", "revindex0", "previtem", "nextitem",
                              "cycle('a', 'b')", "missing", "changed(s)", "depth")
        return "{{ loop." + attribute + " }}"

    def make_control(self, level, in_loop):
        return self.tag("if " + self.pick("loop.first", "loop.index > 1", self.expr("bool"))) + self.tag(
            self.pick("break", "continue")) + self.tag("endif")

    def make_set_(self, level, in_loop):
        if self.chance(0.15):
            return self.tag(f"set v, w = {self.pick(self.expr() + ', ' + self.expr(), self.expr('list'))}")
        value = self.expr()
        return self.tag(f"set {self.target()} = {value}")

    def make_set_block(self, level, in_loop):
        body = self.body(level + 1, in_loop)
        chain = self.pick("", "", " | trim", " | upper | replace('A', 'b')")
        return self.tag(f"set {self.target()}{chain}") + body + self.tag("endset")

    def make_namespace(self, level, in_loop):
        names = self.pick("count=0", "a=s, b=none", "")
        change = self.tag(f"set ns.{self.pick('count', 'a')} = {self.pick('ns.count + 1', 'ns.a', self.expr())}")
        loop = self.tag(f"for x in {self.expr('list')}") + change + self.tag("endfor")
        return self.tag(f"set ns = namespace({names})") + loop + "{{ ns.count }}{{ ns.a }}"

    def make_macro(self, level, in_loop):
        signature = self.pick("", "p", "p, q=1", "p=s, q='z'", "p, q=p")
        body = self.body(level + 2) + self.pick("{{ p }}", "{{ q }}", "{{ caller() }}", "{{ varargs }}", "{{ kwargs }}", "{{ v }}")
        arguments = self.pick("", "1", "s, t", "p=1", "q=s", "1, 2, 3", "1, z=2")
        definition = self.tag(f"macro m({signature})") + body + self.tag("endmacro")
        if self.chance(0.3):
            return definition + self.tag(f"call m({arguments})") + self.body(level + 2) + self.tag("endcall")
        return definition + "{{ m(" + arguments + ") }}"

    def make_generation(self, level, in_loop):
        return self.tag("generation") + self.body(level + 2) + self.tag("endgeneration")

    def make_comment(self, level, in_loop):
        return "{#" + self.pick("", "-", "+") + self.pick(" note ", "", "{{ x }}", "\n") + self.pick("", "-", "+") + "#}"

    def make_raw(self, level, in_loop):
        return ("{%" + self.pick("", "-", "+") + " raw " + self.pick("", "-") + "%}" + self.space() + self.pick("{{ x }}", "{% if %}", "{#")
                + self.space() + self.tag("endraw"))

    def make_text(self, level, in_loop):
        return self.pick("plain", "\n", "{ }", "}}", "%}", "#}", "a\r\nb", "  \n  ", "{'")
