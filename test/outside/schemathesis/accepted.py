"""
Leaves out the parameters whose values no schema can give, however well they are formed: those of an earlier answer, and of totals
the names of time zones, and the order, which depends on the groups that are asked for.
"""

import schemathesis

FROM_ANSWERS = ("Cursor", "IfMatch", "IfNoneMatch", "IdempotencyKey")
OF_TOTALS = ("timeZone", "sort")


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for item in raw_schema["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and "parameters" in operation:
                operation["parameters"] = [
                    parameter
                    for parameter in operation["parameters"]
                    if parameter.get("$ref", "").rsplit("/", 1)[-1] not in FROM_ANSWERS
                    and not ("x-totals" in operation and parameter.get("name") in OF_TOTALS)
                ]
