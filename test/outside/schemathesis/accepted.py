"""Leaves out the parameters whose values only an earlier answer can give: no other is accepted, however well it is formed."""

import schemathesis

FROM_ANSWERS = ("Cursor", "IfMatch", "IfNoneMatch", "IdempotencyKey")


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for item in raw_schema["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and "parameters" in operation:
                operation["parameters"] = [
                    parameter
                    for parameter in operation["parameters"]
                    if parameter.get("$ref", "").rsplit("/", 1)[-1] not in FROM_ANSWERS
                ]
