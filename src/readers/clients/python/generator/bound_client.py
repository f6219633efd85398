"""openapi-python-client, with a class for each resource beside its modules of operations: `python -m bound_client generate …`.

`resources.json`, in the current folder, has the names of resources and operations.
"""

import json
import unicodedata
from pathlib import Path
from typing import Any

import openapi_python_client
from openapi_python_client import cli, strings
from openapi_python_client.schema.untrusted_string import UntrustedString
from openapi_python_client.strings import PythonCode, PythonIdentifier

from operations import Operation, Operations
from resource_classes import STYLES, class_of, custom_method


class Project(openapi_python_client.Project):
    """The generator's own, which writes `bound.py` and the package `resources` as well."""

    def _build_api(self) -> None:
        super()._build_api()
        if self.errors or any(one.parse_errors for one in self.openapi.endpoint_collections_by_tag.values()):
            return  # It fails, and says why.
        folder = self.package_dir / "resources"
        folder.mkdir()
        plan = json.loads(Path("resources.json").read_text())
        operations = self._operations()
        for tree in plan["resources"]:
            (folder / f"{tree['name']}.py").write_text(resource_module(tree, operations), encoding="utf-8")
        (folder / "__init__.py").write_text('"""The resources of the API."""\n', encoding="utf-8")
        (self.package_dir / "bound.py").write_text(clients(plan, operations), encoding="utf-8")

    def _operations(self) -> Operations:
        found = [
            Operation(endpoint, f"from ..api.{tag} import {name} as _{name}")
            for tag, collection in self.openapi.endpoint_collections_by_tag.items()
            for endpoint in collection.endpoints
            for name in [PythonIdentifier(endpoint.name, self.config.field_prefix)]
        ]
        return Operations({operation.endpoint.name: operation for operation in found}, self.config.field_prefix)


def resource_module(tree: dict[str, Any], operations: Operations) -> str:
    """The classes of a resource and of those below it."""
    imports: set[str] = set()
    classes = [class_of(one, style, operations, imports) for one in below(tree) for style in STYLES]
    return "\n\n".join(
        [
            f'"""Calls of `{tree["path"]}`."""\n\nfrom __future__ import annotations\n',
            "import builtins\nfrom collections.abc import Awaitable, Callable\nfrom typing import Any",
            "\n".join(sorted(imports)),
            "from .. import pages as _pages\nfrom .. import resource as _resource\nfrom ..types import UNSET, Unset\n",
            *classes,
        ]
    )


def below(tree: dict[str, Any]) -> list[dict[str, Any]]:
    """The deepest first: classes stand behind what they use."""
    return [one for child in tree["children"] for one in below(child)] + [tree]


MODULE = '''"""The API by its resources: `connect(…)` of `connection` gives a client."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from .client import AuthenticatedClient
from .types import UNSET, Response, Unset

if TYPE_CHECKING:
    {imports}


class Api(AuthenticatedClient):
    """A client as one caller: its resources, and the operations beside them."""
{Api}

class AsyncApi(AuthenticatedClient):
    """The same for `async`."""
{AsyncApi}'''

PROPERTY = '''
    @property
    def {name}(self) -> {className}:
        """Calls of `{path}`."""
        from .resources.{name} import {className}

        return {className}(self)
'''


def clients(plan: dict[str, Any], operations: Operations) -> str:
    """A class for each style. What they use is loaded when it is asked for."""
    imports = {"import builtins", "from typing import Any"}
    members: dict[str, list[str]] = {}
    for style in STYLES:
        own = members[f"{style.prefix}Api"] = []
        for tree in plan["resources"]:
            name = style.prefix + tree["className"]
            imports.add(f"from .resources.{tree['name']} import {name}")
            own.append(PROPERTY.format(name=tree["name"], className=name, path=tree["path"]))
        for custom in plan["operations"]:
            operation = operations.named(custom["id"])
            imports |= {line.replace("from ..", "from .") for line in operation.types}
            own.append(custom_method(operation, custom["name"], style))
    bodies = {name: "".join(texts) for name, texts in members.items()}
    return MODULE.format(imports="\n    ".join(sorted(imports)), **bodies)


NAMES: dict[str, str] = json.loads(Path("resources.json").read_text())["names"]
identifier = PythonIdentifier.__new__


def apart(cls: type[PythonIdentifier], value: Any, prefix: str, skip_snake_case: bool = False) -> PythonIdentifier:
    """The generator's own, of another name for what it would call alike."""
    text = value.get_untrusted_value() if isinstance(value, UntrustedString) else value
    return identifier(cls, NAMES.get(text, text), prefix, skip_snake_case)


def literal(value: Any) -> str:
    """The inside of a string, with each control character, which the generator leaves out."""
    text = value.get_untrusted_value() if isinstance(value, UntrustedString) else value
    text = text.as_unembedded_code() if isinstance(text, PythonCode) else text
    return "".join(escaped(one) for one in text)


def escaped(character: str) -> str:
    if unicodedata.category(character)[0] == "C" or character in "\u2028\u2029":
        return f"\\U{ord(character):08x}"
    return json.dumps(character, ensure_ascii=False)[1:-1]


strings.in_double_quote_literal = openapi_python_client.TEMPLATE_FILTERS["in_double_quote_literal"] = literal
PythonIdentifier.__new__ = apart  # type: ignore[method-assign, assignment]
openapi_python_client.Project = Project  # type: ignore[misc]

if __name__ == "__main__":
    cli.app()
