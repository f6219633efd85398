"""What the generator knows of an operation, in the words of the client's code."""

import re
from dataclasses import dataclass

from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties import ModelProperty, Property
from openapi_python_client.strings import PythonIdentifier


@dataclass(frozen=True)
class Operation:
    """An operation of the API, and the import of its module, by a name that no argument and no model has."""

    endpoint: Endpoint
    module: str

    @property
    def name(self) -> str:
        return self.module.split()[-1]

    @property
    def types(self) -> set[str]:
        """Imports of the types of its arguments and its answer, one package up."""
        return {line.replace("from ...", "from ..") for line in self.endpoint.relative_imports}

    @property
    def answer(self) -> str | None:
        """The type of what it answers; none where it answers nothing."""
        text = self.endpoint.response_type().as_unembedded_code()
        return None if len(self.endpoint.responses) == 0 or text == "Any" else outside(text)

    @property
    def result(self) -> Property | None:
        return next((response.prop for response in self.endpoint.responses), None)


@dataclass(frozen=True)
class Operations:
    by_name: dict[str, Operation]
    field_prefix: str

    def named(self, operation_id: str) -> Operation:
        return self.by_name[PythonIdentifier(operation_id, self.field_prefix)]


def outside(type_text: str) -> str:
    """A type where a method may be called `list`."""
    return re.sub(r"\blist\[", "builtins.list[", type_text)


def type_of(prop: Property) -> str:
    return outside(prop.get_type_string().as_unembedded_code())


def name_of(prop: Property) -> str:
    """As the contract has it."""
    return prop.name.get_untrusted_value()


def property_of(model: Property | None, name: str) -> Property | None:
    """A property of a model, by its name in the contract."""
    if not isinstance(model, ModelProperty):
        return None
    properties = [*(model.required_properties or []), *(model.optional_properties or [])]
    return next((one for one in properties if name_of(one) == name), None)


def words_of(endpoint: Endpoint) -> str:
    text = endpoint.summary.get_untrusted_value() or endpoint.description.get_untrusted_value() or endpoint.name
    return " ".join(text.split())
