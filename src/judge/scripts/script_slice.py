"""Leaves out of a script what the wanted files do not depend on: above all its reference, however long it would take.

Backwards through each block runs the set of live names: those whose value a later needed statement uses. A statement is
needed if it writes a wanted file, assigns a live name, or changes in place what a live name may show: x[i] = ..., x += ...,
x.fill_(...), shuffle(x), f(x) where f changes its parameter. Which names may show the same numbers is found first and
without regard to order: y = x.view(-1), y = x[:n], y = f(x) where f may return its parameter. A plain assignment ends the
life of its name; what it uses begins to live.

A function's body is cut the same way, its returned values and changed parameters live at its end. A write whose path is not
to be seen in the text is taken for wanted, unless the call that leads to it names other files. Scripts with classes,
generators, code made at run time or a second process are left whole.
"""
import ast
import os.path

NO, UNSEEN, WANTED = range(3)  # does an expression write a wanted file?

PLAIN_ATTRIBUTES = {"shape", "size", "ndim", "dtype", "device", "itemsize", "nbytes"}
# Methods whose result shares nothing with the array.
FRESH_METHODS = set(
    """copy clone astype sum mean std var min max argmax argmin exp log sqrt abs pow matmul mm dot item tolist any all norm
    cumsum cumprod sigmoid tanh relu clip clamp round floor ceil numel size dim softmax topk argsort nonzero unique repeat
    rand randn random normal uniform integers choice randint permutation standard_normal lower upper format join tofile
    tobytes square prod log_softmax""".split()
)
# Functions of modules whose result may show their argument.
VIEW_FUNCTIONS = set(
    """asarray ascontiguousarray as_tensor from_numpy reshape ravel transpose squeeze unsqueeze expand_dims broadcast_to
    swapaxes moveaxis flip fliplr flipud rot90 split array_split chunk permute flatten meshgrid narrow asfarray atleast_1d
    atleast_2d atleast_3d movedim view_as_real view_as_complex frombuffer require t asanyarray tensor_split unbind
    as_strided broadcast_tensors broadcast_arrays expand real imag diagonal select unfold contiguous""".split()
)
FRESH_BUILTINS = set("int float len range open str abs sum bool print round pow all any isinstance type".split())
CHANGING_METHODS = set(
    "fill sort append extend insert pop remove clear update reverse partition put resize add setdefault itemset".split()
)
# Functions that change their first argument.
CHANGING_FUNCTIONS = set("shuffle copyto fill_diagonal place putmask at heappush heapify put_along_axis".split())
# Modules whose calls are carried out wherever they stand: folders, paths, settings.
KEPT_MODULES = {"os", "sys", "warnings", "pathlib"}
CODE_AT_RUN_TIME = {"exec", "eval", "globals", "locals", "vars", "compile", "__import__", "getattr", "setattr"}
SECOND_PROCESS = {"fork", "forkpty"}  # which of two the statements are for is not to be seen


def in_place(name):
    return name.endswith("_") and not name.endswith("__")


def callee_name(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def calls_in(node):
    return [each for each in ast.walk(node) if isinstance(each, ast.Call)]


def target_names(target):
    if isinstance(target, ast.Name):
        return {target.id}
    if isinstance(target, (ast.Tuple, ast.List)):
        return set().union(*map(target_names, target.elts))
    return target_names(target.value) if isinstance(target, ast.Starred) else set()


def stores_in(target):
    """The subscripts and attributes that a target stores into."""
    if isinstance(target, (ast.Subscript, ast.Attribute)):
        return [target]
    if isinstance(target, (ast.Tuple, ast.List)):
        return [store for each in target.elts for store in stores_in(each)]
    return stores_in(target.value) if isinstance(target, ast.Starred) else []


def targets_of(statement):
    if isinstance(statement, ast.Assign):
        return statement.targets
    if isinstance(statement, (ast.AugAssign, ast.AnnAssign, ast.For)):
        return [statement.target]
    if isinstance(statement, ast.With):
        return [item.optional_vars for item in statement.items if item.optional_vars]
    return []


def values_of(statement):
    """The expressions that a statement computes by itself, without those of the statements in it."""
    if isinstance(statement, ast.With):
        return [item.context_expr for item in statement.items]
    values = [getattr(statement, field, None) for field in ("value", "test", "iter", "exc")]
    return [value for value in values if value is not None]


def blocks_of(statement):
    blocks = [getattr(statement, field, []) for field in ("body", "orelse", "finalbody")]
    return blocks + [handler.body for handler in getattr(statement, "handlers", [])]


def is_function(statement):
    return isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef))


def statements_of(block):
    """All statements of a block and of the blocks in it, functions' bodies excepted."""
    for statement in block:
        yield statement
        if not is_function(statement):
            for inner in blocks_of(statement):
                yield from statements_of(inner)


class Effects:
    """What a call of a function does. Unknown until it has been looked at."""

    def __init__(self, definition):
        arguments = definition.args
        self.parameters = [each.arg for each in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]
        self.known = False
        self.changed, self.returned = set(self.parameters), set(self.parameters)
        self.uses, self.outer_changed = set(), set()
        self.writes = UNSEEN

    def arguments(self, call, parameters):
        """What a call gives for some of the parameters."""
        given = dict(zip(self.parameters, call.args))
        given.update({each.arg: each.value for each in call.keywords})
        if any(isinstance(each, ast.Starred) for each in call.args) or None in given:
            return list(given.values())
        return [given[name] for name in parameters if name in given]


class Table:
    """What is known of the names of a script."""

    def __init__(self, tree, wanted):
        self.wanted = wanted
        self.modules, self.containers = set(), set()
        self.constants = {}  # a name that is assigned once -> its value; else None
        self.functions, self.definitions = {}, {}
        self.collect(tree.body)

    def collect(self, block):
        for statement in statements_of(block):
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                self.modules |= {(each.asname or each.name).split(".")[0] for each in statement.names}
            elif is_function(statement):
                self.functions[statement.name] = Effects(statement)
                self.definitions.setdefault(statement.name, []).append(statement)
                self.constants.update(dict.fromkeys(self.functions[statement.name].parameters))
                self.collect(statement.body)
            for target in targets_of(statement):
                for name in target_names(target):
                    self.note_assignment(name, target, statement)

    def note_assignment(self, name, target, statement):
        values = values_of(statement)
        single = isinstance(statement, (ast.Assign, ast.With)) and isinstance(target, ast.Name) and len(values) == 1
        self.constants[name] = values[0] if single and name not in self.constants else None
        made = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.BinOp)
        if any(isinstance(value, made) or callee_name_of(value) in ("list", "dict") for value in values):
            self.containers.add(name)

    def is_module(self, node):
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.modules

    def called(self, call):
        return self.functions.get(call.func.id) if isinstance(call.func, ast.Name) else None

    def shown(self, node):
        """The names whose numbers an expression may show."""
        if isinstance(node, ast.Name):
            return {node.id} - self.modules
        if isinstance(node, ast.Attribute):
            return set() if node.attr in PLAIN_ATTRIBUTES else self.shown(node.value)
        if isinstance(node, (ast.Subscript, ast.Starred, ast.NamedExpr, ast.Await)):
            return self.shown(node.value)
        if isinstance(node, ast.Call):
            return self.shown_by_call(node)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            return self.shown_by_all([node.elt] + [each.iter for each in node.generators])
        if isinstance(node, ast.DictComp):
            return self.shown_by_all([node.value] + [each.iter for each in node.generators])
        if isinstance(node, (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.IfExp, ast.BoolOp)):
            return self.shown_by_all(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
        return set()

    def shown_by_all(self, nodes):
        return set().union(*map(self.shown, nodes))

    def shown_by_call(self, call):
        arguments = call.args + [each.value for each in call.keywords]
        shown = self.shown_by_all(each.value for each in call.keywords if each.arg == "out")
        effects = self.called(call)
        if self.is_module(call.func):
            views = in_place(callee_name(call)) or callee_name(call) in VIEW_FUNCTIONS
            return shown | (self.shown_by_all(arguments) if views else set())
        if isinstance(call.func, ast.Attribute):
            return shown | (set() if call.func.attr in FRESH_METHODS else self.shown(call.func.value))
        if effects:
            return shown | self.shown_by_all(effects.arguments(call, effects.returned))
        return shown | (set() if callee_name(call) in FRESH_BUILTINS else self.shown_by_all(arguments))

    def changed(self, node):
        """The names that an expression changes in place."""
        return set().union(*map(self.changed_by_call, calls_in(node)))

    def changed_by_call(self, call):
        changed = self.shown_by_all(each.value for each in call.keywords if each.arg == "out")
        name = callee_name(call)
        method = isinstance(call.func, ast.Attribute) and not self.is_module(call.func)
        if method and (in_place(name) or name in CHANGING_METHODS):
            changed |= self.shown(call.func.value)
        if call.args and (name in CHANGING_FUNCTIONS or (not method and in_place(name))):
            changed |= self.shown(call.args[0])
        if effects := self.called(call):
            changed |= effects.outer_changed | self.shown_by_all(effects.arguments(call, effects.changed))
        return changed

    def uses(self, node):
        """All names in an expression, and those that the functions among them use."""
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        return names.union(*(self.functions[name].uses for name in names if name in self.functions))

    def path_of(self, node, depth=0):
        """The text of a path as far as it is to be seen; else None."""
        if depth > 20:
            return None

        def joined(parts, between):
            texts = [self.path_of(part, depth + 1) for part in parts]
            return None if None in texts else between.join(texts)

        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.JoinedStr):
            return joined(node.values, "")
        if isinstance(node, ast.FormattedValue):
            return self.path_of(node.value, depth + 1)
        if isinstance(node, ast.Name):
            value = self.constants.get(node.id)
            return None if value is None else self.path_of(value, depth + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Div)):
            return joined([node.left, node.right], "" if isinstance(node.op, ast.Add) else "/")
        if isinstance(node, ast.Call) and callee_name(node) in ("join", "Path", "str"):
            return joined(node.args, "/")
        if isinstance(node, ast.Call) and callee_name(node) == "open" and node.args:
            return self.path_of(node.args[0], depth + 1)
        return None

    def is_wanted(self, path):
        name = os.path.basename(path)
        return name in self.wanted or os.path.splitext(name)[0] in self.wanted

    def writes(self, node):
        return max(map(self.writes_by_call, calls_in(node)), default=NO)

    def writes_by_call(self, call):
        name = callee_name(call)
        if isinstance(call.func, ast.Attribute) and (name == "write" or (name == "tofile" and call.args)):
            path = self.path_of(call.args[0] if name == "tofile" else call.func.value)
            return UNSEEN if path is None else WANTED if self.is_wanted(path) else NO
        effects = self.called(call)
        if not effects or effects.writes != UNSEEN:
            return effects.writes if effects else NO
        # The file's name is among the arguments, most likely.
        paths = [self.path_of(each) for each in call.args + [each.value for each in call.keywords]]
        paths = [path for path in paths if path is not None]
        return UNSEEN if not paths else WANTED if any(map(self.is_wanted, paths)) else NO


def callee_name_of(node):
    return callee_name(node) if isinstance(node, ast.Call) else ""


class Body:
    """One body, of the module or of a function."""

    def __init__(self, table, block, needed):
        self.table, self.block, self.needed = table, block, needed
        self.groups = {}  # of names that may show the same numbers
        self.changed, self.assigned, self.outer, self.returned = set(), set(), set(), set()
        for statement in statements_of(block):
            self.collect(statement)

    def root(self, name):
        while self.groups.get(name, name) != name:
            name = self.groups[name]
        return name

    def join(self, names, others):
        for name in names:
            for other in others:
                self.groups[self.root(name)] = self.root(other)

    def meet(self, names, others):
        return not {self.root(name) for name in names}.isdisjoint(self.root(name) for name in others)

    def collect(self, statement):
        values, table = values_of(statement), self.table
        shown = table.shown_by_all(values)
        for target in targets_of(statement):
            self.assigned |= target_names(target)
            if not isinstance(statement, ast.AugAssign):
                self.join(target_names(target), shown)
            for store in stores_in(target):
                stored = table.shown(store)
                self.changed |= stored
                self.join(stored & table.containers, shown)  # a list keeps the value itself, an array a copy
        if isinstance(statement, ast.AugAssign):
            self.changed |= target_names(statement.target)
        if isinstance(statement, (ast.Global, ast.Nonlocal)):
            self.outer |= set(statement.names)
        if isinstance(statement, ast.Return):
            self.returned |= shown
        for value in values:
            self.changed |= table.changed(value)
            for call in calls_in(value):
                if isinstance(call.func, ast.Attribute) and call.func.attr in ("append", "extend", "insert"):
                    self.join(table.shown(call.func.value), table.shown_by_all(call.args))

    def mark(self, live):
        """Marks what is needed where `live` lives after the body; changes it into what lives before."""
        self.mark_block(self.block, live, False)
        return live

    def mark_block(self, block, live, jumps):
        any_needed = False
        for statement in reversed(block):
            any_needed = self.mark_statement(statement, live, jumps) or any_needed
        return any_needed

    def mark_statement(self, statement, live, jumps):
        if isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign)):
            needed = self.mark_simple(statement, live)
        elif isinstance(statement, (ast.If, ast.Try)):
            needed = self.mark_branches(statement, live, jumps)
        elif isinstance(statement, (ast.For, ast.While)):
            needed = self.mark_loop(statement, live)
        elif isinstance(statement, ast.With):
            needed = self.mark_block(statement.body, live, jumps)
            if needed:
                self.replace(statement, live)
        elif is_function(statement):
            needed = statement.name in live
            live.discard(statement.name)
            if needed:
                for value in statement.args.defaults + statement.args.kw_defaults + statement.decorator_list:
                    live |= self.table.uses(value) if value is not None else set()
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            needed = any(each.name == "*" or (each.asname or each.name).split(".")[0] in live for each in statement.names)
        elif isinstance(statement, (ast.Global, ast.Nonlocal)):
            needed = True
        elif isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            needed = jumps or isinstance(statement, ast.Return)
            if needed:
                self.replace(statement, live)
        else:
            needed = False  # pass, assert, del
        if needed:
            self.needed.add(statement)
        return needed and not isinstance(statement, (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal))

    def replace(self, statement, live):
        """What a statement assigns ends to live, and what it uses begins to."""
        if not isinstance(statement, ast.AugAssign):
            for target in targets_of(statement):
                live -= target_names(target)
        else:
            live |= target_names(statement.target)
        for node in values_of(statement) + [store for each in targets_of(statement) for store in stores_in(each)]:
            live |= self.table.uses(node)

    def mark_simple(self, statement, live):
        assigned, changed, table = set(), set(), self.table
        for target in targets_of(statement):
            assigned |= target_names(target)
            changed |= table.shown_by_all(stores_in(target))
        if isinstance(statement, ast.AugAssign):
            changed |= assigned
        writes = NO
        for value in values_of(statement):
            changed |= table.changed(value)
            writes = max(writes, table.writes(value))
            assigned |= {each.target.id for each in ast.walk(value) if isinstance(each, ast.NamedExpr)}
        kept = isinstance(statement, ast.Expr) and self.is_kept(statement.value)
        if live.isdisjoint(assigned) and not self.meet(changed, live) and writes == NO and not kept:
            return False
        self.replace(statement, live)
        return True

    def is_kept(self, node):
        """Folders, paths and settings of libraries, wherever they stand."""
        if not isinstance(node, ast.Call) or not self.table.is_module(node.func):
            return False
        root = node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        return root.id in KEPT_MODULES or callee_name(node).startswith("set_")

    def mark_branches(self, statement, live, jumps):
        after, needed = set(live), False
        for block in blocks_of(statement):
            before = set(after)
            needed = self.mark_block(block, before, jumps) or needed
            live |= before
        if needed:
            self.replace(statement, live)
        return needed

    def mark_loop(self, statement, live):
        """The body's live names flow back into it until nothing is added."""
        targets = set().union(*map(target_names, targets_of(statement)))
        needed = self.mark_block(statement.orelse, live, False) or not live.isdisjoint(targets)
        around = set(live)
        while True:
            inside, before = set(around), (len(around), needed)
            needed = self.mark_block(statement.body, inside, needed) or needed
            if needed:
                inside |= set().union(*map(self.table.uses, values_of(statement)))
            around |= inside - targets
            if before == (len(around), needed):
                break
        if needed:
            live |= around
            live -= targets
        return needed


class Slicer:
    def __init__(self, tree, wanted):
        self.tree, self.table, self.needed, self.begun = tree, Table(tree, wanted), set(), set()

    def run(self):
        for name in list(self.table.definitions):
            self.analyze(name)
        Body(self.table, self.tree.body, self.needed).mark(set())
        self.tree.body = self.pruned(self.tree.body)
        return ast.fix_missing_locations(self.tree)

    def analyze(self, name):
        """After the functions that it calls; one that leads back to itself is taken for unknown on the way."""
        if name in self.begun:
            return
        self.begun.add(name)
        definitions = self.table.definitions[name]
        for definition in definitions:
            for each in ast.walk(definition):
                if isinstance(each, ast.Name) and each.id in self.table.definitions:
                    self.analyze(each.id)
        for definition in definitions:
            effects = self.effects_of(definition)
        effects.uses |= self.table.functions[name].uses
        if len(definitions) == 1:  # of two functions of one name both stay unknown
            self.table.functions[name] = effects

    def effects_of(self, definition):
        body, effects = Body(self.table, definition.body, self.needed), Effects(definition)
        effects.changed = {name for name in effects.parameters if body.meet({name}, body.changed)}
        effects.returned = {name for name in effects.parameters if body.meet({name}, body.returned)}
        arguments = [each.arg for each in (definition.args.vararg, definition.args.kwarg) if each]
        own = (set(effects.parameters) | set(arguments) | body.assigned) - body.outer
        effects.outer_changed = (body.changed | (body.assigned & body.outer)) - own
        values = [value for each in statements_of(definition.body) for value in values_of(each)]
        effects.writes = max(map(self.table.writes, values), default=NO)
        effects.uses = body.mark(body.outer | effects.changed | effects.outer_changed) - own
        effects.known = True
        return effects

    def pruned(self, block):
        kept = []
        for statement in block:
            if statement not in self.needed:
                continue
            for field in ("body", "orelse", "finalbody"):
                if getattr(statement, field, None):
                    setattr(statement, field, self.pruned(getattr(statement, field)) or [ast.Pass()])
            for handler in getattr(statement, "handlers", []):
                handler.body = self.pruned(handler.body) or [ast.Pass()]
            kept.append(statement)
        return kept


def is_simple(tree):
    """Without what the slicer cannot look through."""
    refused = (ast.ClassDef, ast.Yield, ast.YieldFrom, ast.Await, ast.Match, ast.AsyncFunctionDef)
    return not any(
        isinstance(node, refused)
        or (isinstance(node, ast.Name) and node.id in CODE_AT_RUN_TIME)
        or (isinstance(node, ast.Attribute) and node.attr in SECOND_PROCESS)
        for node in ast.walk(tree)
    )


def sliced(text, wanted):
    """The syntax tree of a script, without what the files `wanted` (names without folder and extension) do not need."""
    tree = ast.parse(text, "gen.py")
    return Slicer(tree, set(wanted)).run() if is_simple(tree) else tree
