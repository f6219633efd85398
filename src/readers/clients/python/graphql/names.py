"""What ariadne-codegen asks about names, enums and subscriptions."""

import ast

from ariadne_codegen.plugins.base import Plugin
from graphql import GraphQLEnumType, Node, OperationDefinitionNode, OperationType

MISSING = '''
@classmethod
def _missing_(cls, value: object) -> "{name} | None":
    """A value that a later version of the API has added."""
    if not isinstance(value, str):
        return None
    member = str.__new__(cls, value)
    member._name_ = value
    member._value_ = value
    return member
'''


class Names(Plugin):
    """Names that Python takes, enums that keep what they do not know, and the options of subscriptions."""

    def process_name(self, name: str, node: Node | None = None) -> str:
        return f"value_{name}" if name[:1].isdigit() else name

    def generate_enum(self, class_def: ast.ClassDef, enum_type: GraphQLEnumType) -> ast.ClassDef:
        class_def.body += ast.parse(MISSING.format(name=class_def.name)).body
        return class_def

    def generate_client_method(
        self, method_def: ast.FunctionDef | ast.AsyncFunctionDef, operation_definition: OperationDefinitionNode
    ) -> ast.FunctionDef | ast.AsyncFunctionDef:
        if operation_definition.operation == OperationType.SUBSCRIPTION and method_def.args.kwarg is not None:
            method_def.args.kwarg.annotation = ast.Name("Unpack[SubscribeOptions]")
        return method_def

    def generate_client_module(self, module: ast.Module) -> ast.Module:
        imports = "from typing import Unpack\nfrom .events import SubscribeOptions"
        return ast.Module(body=ast.parse(imports).body + module.body, type_ignores=[])
