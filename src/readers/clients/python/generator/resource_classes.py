"""The text of the classes of resources, from what the generator knows of their operations."""

from dataclasses import dataclass
from typing import Any

from openapi_python_client.parser.properties import ListProperty, ModelProperty, Property
from openapi_python_client.strings import safe_for_docstring

from operations import Operation, Operations, name_of, property_of, type_of, words_of


@dataclass(frozen=True)
class Style:
    """How one of the two clients calls operations."""

    prefix: str
    define: str
    wait: str
    call: str
    change: str
    patch: str


STYLES = (
    Style("", "def", "", "sync", "change", "{0} | None"),
    Style("Async", "async def", "await ", "asyncio", "change_async", "{0} | None | Awaitable[{0} | None]"),
)

# Header fields that bound calls send by themselves, or whose answer they could not give.
SENT = {
    "get": ("if-none-match",),
    "create": (),
    "replace": ("if-match",),
    "update": ("if-match",),
    "delete": ("if-match",),
}


class Method:
    """A method that calls one operation."""

    def __init__(self, operation: Operation, style: Style, left_out: tuple[str, ...] = ()) -> None:
        endpoint = operation.endpoint
        others = [*endpoint.query_parameters, *endpoint.header_parameters, *endpoint.cookie_parameters]
        self.operation = operation
        self.style = style
        self.positional = [(str(one.python_name), type_of(one), "") for one in endpoint.path_parameters]
        self.keyword = [
            (str(one.python_name), type_of(one), "" if one.required else " = UNSET")
            for one in others
            if name_of(one).lower() not in left_out
        ]
        self.given = {name: name for name, _, _ in self.positional + self.keyword}
        for body in endpoint.bodies[:1]:
            declared = ("body", type_of(body.prop), "" if body.prop.required else " = UNSET")
            self.positional.append(declared)
            self.given["body"] = "body"

    def call(self, client: str) -> str:
        """The call of the operation, and what the method returns of it."""
        name, style = self.operation.name, self.style
        arguments = ", ".join(f"{argument}={value}" for argument, value in [*self.given.items(), ("client", client)])
        if self.operation.answer is None:
            return f"{style.wait}{name}.{style.call}_detailed({arguments})"
        return f"return {style.wait}{name}.{style.call}({arguments})"

    def text(
        self,
        name: str,
        body: list[str],
        *,
        answer: str | None = None,
        define: str | None = None,
        words: str | None = None,
    ) -> str:
        """Required arguments stand before others."""
        ordered = sorted(self.positional, key=lambda one: one[2] != "")
        keyword = ["*", *(declaration(one) for one in self.keyword)] if self.keyword else []
        arguments = ", ".join(["self", *(declaration(one) for one in ordered), *keyword])
        head = f"{define or self.style.define} {name}({arguments}) -> {answer or self.operation.answer}:"
        return "\n".join(
            [
                "",
                f"    {head}",
                f'        """{safe_for_docstring(words or words_of(self.operation.endpoint))} """',
                *(f"        {line}" for line in body),
                "",
            ]
        )


def declaration(argument: tuple[str, str, str]) -> str:
    name, kind, default = argument
    return f"{name}: {kind}{default}"


def custom_method(operation: Operation, name: str, style: Style) -> str:
    """A method of the client. Its module is loaded when it is called. What has no type is answered as it came."""
    method = Method(operation, style)
    call = method.call("self")
    lines = [operation.module.replace("from ..", "from ."), "", call if operation.answer else f"return {call}"]
    return method.text(name, lines, answer=operation.answer or "Response[Any]")


def class_of(tree: dict[str, Any], style: Style, operations: Operations, imports: set[str]) -> str:
    """The class of a resource; `imports` gets what it imports."""
    head = f'class {style.prefix}{tree["className"]}(_resource.Resource):\n    """Calls of `{tree["path"]}`."""\n'
    members = [child_of(child, style) for child in tree["children"]]
    bound = {action: operations.named(operation_id) for action, operation_id in tree["actions"].items()}
    for operation in bound.values():
        imports |= {operation.module, *operation.types}
    row = Row.of(bound, tree["key"])
    for action, operation in bound.items():
        if action not in ("list", "get", "create"):
            members.append(write(action, operation, style, row))
        elif action != "list":
            method = Method(operation, style, SENT[action])
            members.append(method.text(action, [method.call("self._client")]))
    if row is not None and "get" in bound and "update" in bound:
        members.append(change(bound["update"], style, row))
    # Behind all others, whose types are built-in lists.
    if "list" in bound:
        members.append(list_of(bound["list"], style, imports))
    return head + "".join(members) + "\n"


def child_of(tree: dict[str, Any], style: Style) -> str:
    name = style.prefix + tree["className"]
    return f"\n    @property\n    def {tree['name']}(self) -> {name}:\n        return {name}(self._client)\n"


@dataclass(frozen=True)
class Row:
    """What a resource is answered as, with its properties that name it and its version."""

    kind: str
    key: Property
    version: Property

    @staticmethod
    def of(operations: dict[str, Operation], key: str) -> "Row | None":
        models = [
            operations[action].result for action in ("get", "update", "replace", "create") if action in operations
        ]
        found = next(
            ((model, property_of(model, key), property_of(model, "version")) for model in models), (None, None, None)
        )
        match found:
            case (ModelProperty() as model, own, version) if own is not None and version is not None:
                return Row(type_of(model), own, version)
        return None

    def target(self, method: Method) -> str | None:
        """The argument that a row may stand for; none where its type is another."""
        name, kind, _ = method.positional[len(method.operation.endpoint.path_parameters) - 1]
        return name if kind == type_of(self.key) else None


def write(action: str, operation: Operation, style: Style, row: Row | None) -> str:
    """A replacement, an update or a deletion: of a row that was read, in the version that was read."""
    method = Method(operation, style, SENT[action])
    tag = next((one for one in operation.endpoint.header_parameters if name_of(one).lower() == "if-match"), None)
    target = row.target(method) if row and not (tag and tag.required) else None
    lines: list[str] = []
    if tag is not None:
        kind, default = ("int | str", "") if tag.required else ("int | str | Unset", " = UNSET")
        method.keyword.append(("if_version", kind, default))
        method.given[str(tag.python_name)] = "_resource.if_match(if_version)"
    if row is not None and target is not None:
        admit(method, target, row.kind)
        lines = [f"if isinstance({target}, {row.kind}):"]
        if tag is not None:
            lines.append(f"    if_version = if_version or {target}.{row.version.python_name}")
        lines.append(f"    {target} = {target}.{row.key.python_name}")
    return method.text(action, [*lines, method.call("self._client")])


def admit(method: Method, target: str, kind: str) -> None:
    """Lets an argument be a row, too."""
    method.positional = [
        (name, f"{own} | {kind}" if name == target else own, default) for name, own, default in method.positional
    ]


CHANGE = "Reads it and updates it with the patch that is made of it, and again where another change got in between."


def change(update: Operation, style: Style, row: Row) -> str:
    method = Method(update, style)
    names = [name for name, _, _ in method.positional[: len(update.endpoint.path_parameters)]]
    patch = next(kind for name, kind, _ in method.positional if name == "body")
    target = row.target(method)
    method.keyword = []
    method.positional = [one for one in method.positional if one[0] != "body"]
    lines: list[str] = []
    if target is not None:
        admit(method, target, row.kind)
        lines = [f"_key = {target}.{row.key.python_name} if isinstance({target}, {row.kind}) else {target}"]
    method.positional.append(("patch_of", f"Callable[[{row.kind}], {style.patch.format(patch)}]", ""))
    given = ", ".join("_key" if name == target else name for name in names)
    write = f"self.update({given}, _patch, if_version=_row.{row.version.python_name})"
    lines.append(
        f"return {style.wait}_resource.{style.change}(lambda: self.get({given}), patch_of, lambda _row, _patch: {write})"
    )
    return method.text("change", lines, words=CHANGE)


def list_of(operation: Operation, style: Style, imports: set[str]) -> str:
    method = Method(operation, style, ("cursor", "if-none-match"))
    entries = property_of(operation.result, "data")
    has_cursor = any(name_of(one) == "cursor" for one in operation.endpoint.query_parameters)
    if not isinstance(entries, ListProperty) or not has_cursor:
        return method.text("list", [method.call("self._client")])
    inner = entries.inner_property
    imports |= inner.get_imports(prefix="..") | inner.get_lazy_imports(prefix="..")
    method.given["cursor"] = "_cursor"
    kind = f"_pages.{style.prefix}List[{type_of(inner)}, {operation.answer}]"
    call = method.call("self._client").removeprefix("return ").removeprefix("await ")
    return method.text("list", [f"return _pages.{style.prefix}List(lambda _cursor: {call})"], answer=kind, define="def")
