"""Lists, tuples, dicts and comprehensions, and what is sure to be in them."""

from __future__ import annotations

import ast

from codemode_guest.check.course import Course
from codemode_guest.check.known import Several, Started


class Displays(Course):
    """Evaluates what holds several values, and what goes through it."""

    def on_list(self, node: ast.List | ast.Tuple) -> Several:
        """Gather the elements; those of a `*` are not followed."""
        several = Several(filled=self.is_filled(node))
        for element in node.elts:
            if isinstance(element, ast.Starred):
                self.spend(element.value)
            else:
                several.items.append((self.value(element), True))
        return several

    on_tuple = on_list

    def on_dict(self, node: ast.Dict) -> Several:
        """Gather the values; those of a `**` are not followed."""
        several = Several(filled=self.is_filled(node))
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                self.spend(value)
            else:
                self.spend(key)
                several.items.append((self.value(value), True))
        return several

    def on_listcomp(self, node: ast.ListComp | ast.GeneratorExp) -> Several:
        """Gather the one element, which is sure when there is sure to be a round."""
        return self._rounds(node.generators, node.elt)

    def on_dictcomp(self, node: ast.DictComp) -> Several:
        """Gather key and value, as above."""
        return self._rounds(node.generators, node.key, node.value)

    def on_setcomp(self, node: ast.SetComp) -> None:
        """Go through it; nothing in a set is followed."""
        self.let_go(self._rounds(node.generators, node.elt))

    def on_generatorexp(self, node: ast.GeneratorExp) -> None:
        """Nobody knows who goes through it, unless it is asked for by `each`."""
        with self.perhaps():
            self.let_go(self.on_listcomp(node))

    def each(self, node: ast.expr) -> Several | None:
        """Evaluate what is gone through at once, so that a generator is as good as a list."""
        found = self.on_listcomp(node) if isinstance(node, ast.GeneratorExp) else self.value(node)
        if isinstance(found, Several):
            return found
        self.let_go(found)
        return None

    def _rounds(self, generators: list[ast.comprehension], *elements: ast.expr) -> Several:
        before, filled = self.sure, True
        for generator in generators:
            filled = filled and not generator.ifs and not generator.is_async
            filled = filled and self.is_filled(generator.iter)
            self.go_through(generator.iter, generator.target)
            self.sure = before and filled
            for condition in generator.ifs:
                self.value(condition)
        items = [(self.value(element), filled) for element in elements]
        self.sure = before
        return Several(items=items, filled=filled)

    def go_through(self, source: ast.expr, target: ast.expr) -> None:
        """Evaluate what a loop goes through, and bind its target."""
        found = self.value(source)
        if not isinstance(found, Started):
            self.let_go(found)
        self.take(target)

    def take(self, target: ast.expr) -> None:
        """Bind a target to what is not followed."""
        if isinstance(target, ast.Name):
            # In a comprehension this is another variable, and the one known here stays.
            self.let_go(self.read(self.variable(target.id)))
            self.bind(target.id, None)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for element in target.elts:
                self.take(element)
        elif isinstance(target, ast.Starred):
            self.take(target.value)
        else:
            for part in ast.iter_child_nodes(target):
                if isinstance(part, ast.expr):
                    self.spend(part)

    def is_filled(self, node: ast.expr) -> bool:
        """Whether going through a value is sure to find something."""
        match node:
            case ast.List(elts) | ast.Tuple(elts) | ast.Set(elts):
                return any(not isinstance(element, ast.Starred) for element in elts)
            case ast.Dict(keys):
                return any(key is not None for key in keys)
            case ast.Constant(str(text)):
                return text != ""
            case ast.Name(name):
                found = self.read(self.variable(name))
                return isinstance(found, Several) and found.filled
            case ast.Call(ast.Name(name), arguments, []) if self.is_builtin(name):
                return self._is_call_filled(name, arguments)
        return False

    def _is_call_filled(self, name: str, arguments: list[ast.expr]) -> bool:
        match name, arguments:
            case "range", [*bounds]:
                return _is_range_filled(bounds)
            case "enumerate" | "list" | "reversed" | "set" | "sorted" | "tuple", [only]:
                return self.is_filled(only)
            case "zip", [_, *_]:
                return all(self.is_filled(argument) for argument in arguments)
        return False


def _is_range_filled(arguments: list[ast.expr]) -> bool:
    bounds = [argument.value for argument in arguments if isinstance(argument, ast.Constant)]
    whole = [bound for bound in bounds if type(bound) is int]
    if not arguments or len(whole) < len(arguments):
        return False
    try:
        return bool(range(*whole))
    except (TypeError, ValueError):  # too many bounds, or a step of nought
        return False
