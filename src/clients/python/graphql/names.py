"""What ariadne-codegen asks about names and enums."""

import ast

from ariadne_codegen.plugins.base import Plugin
from graphql import GraphQLEnumType, Node

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
    """Names that Python takes, and enums that keep what they do not know."""

    def process_name(self, name: str, node: Node | None = None) -> str:
        return f"value_{name}" if name[:1].isdigit() else name

    def generate_enum(self, class_def: ast.ClassDef, enum_type: GraphQLEnumType) -> ast.ClassDef:
        class_def.body += ast.parse(MISSING.format(name=class_def.name)).body
        return class_def
