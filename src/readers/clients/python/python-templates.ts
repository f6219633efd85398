import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Publication, spdxOf } from '../../../compiler/emit/clients/index.ts';
import type { Node } from '../../../compiler/read/index.ts';
import { ConfigError } from '../../../descriptor/config-error.ts';
import type { ClientInput } from '../common/client-language.ts';
import { deepFields } from '../common/document-parts.ts';

/** A passage of one of the generator's templates, as often as it stands there. */
interface Substitution {
  readonly template: string;
  readonly times: number;
  readonly passage: string;
  readonly replacement: string;
}

const UNION = 'property_templates/union_property.py.jinja';

const SUBSTITUTIONS: readonly Substitution[] = [
  {
    // The names that `pythonDocument` gives to filters, and to lists that are one text.
    template: 'endpoint_macros.py.jinja',
    times: 1,
    passage: `params["{{ property.name | in_double_quote_literal }}"] = {{ destination }}
`,
    replacement: `{% set written = property.name | in_double_quote_literal | string %}
{% set plain = written[:-1] if written[-1:] in ",|;{" else written %}
{% set value = "joined(" + destination + ', "' + written[-1:] + '")' if plain != written else destination %}
params["{{ plain | replace(". ", "[") }}{{ "]" if ". " in plain }}"] = {{ value }}
`,
  },
  {
    template: 'endpoint_macros.py.jinja',
    times: 2,
    passage: '_kwargs["content"] = body.payload',
    replacement: '_kwargs["content"] = getattr(body, "payload", body)',
  },
  {
    // Its own gives a map no brackets, nor makes it one text.
    template: 'endpoint_macros.py.jinja',
    times: 1,
    passage: `"params.update(" + destination + ")") }}`,
    replacement: `"params.update(members(" + destination + ', "' + (property.name | in_double_quote_literal | string) + '"))') }}`,
  },
  {
    template: 'endpoint_macros.py.jinja',
    times: 2,
    passage: '"] = {{ parameter.python_name }}',
    replacement: '"] = segment({{ parameter.python_name }})',
  },
  {
    template: 'endpoint_module.py.jinja',
    times: 1,
    passage: 'quote(str({{parameter.python_name}}), safe="")',
    replacement: 'segment({{parameter.python_name}})',
  },
  {
    template: 'endpoint_module.py.jinja',
    times: 2,
    passage: ') -> {{ return_string | as_unembedded_code }} | None:',
    replacement: ') -> {{ return_string | as_unembedded_code }}:',
  },
  {
    // Its own is the same for each body, and may stand in one.
    template: 'endpoint_module.py.jinja',
    times: 2,
    passage: '"multipart/form-data; boundary=+++"',
    replacement: 'f"multipart/form-data; boundary={boundary()}"',
  },
  {
    template: 'endpoint_module.py.jinja',
    times: 1,
    passage: 'import Response, UNSET\n',
    replacement: 'import Response, UNSET, boundary, form, joined, members, misfit, segment\n',
  },
  {
    // Its own names the type of a body that is not sent.
    template: 'endpoint_module.py.jinja',
    times: 1,
    passage: `\n    headers["Content-Type"] = "{{ body.content_type | in_double_quote_literal }}"\n`,
    replacement: `
    {% if not body.prop.required %}
    if not isinstance(body, Unset):
    {% endif %}
    {{ "" if body.prop.required else "    " }}headers["Content-Type"] = "{{ body.content_type | in_double_quote_literal }}"
`,
  },
  {
    // Its own writes `True`.
    template: 'property_templates/boolean_property.py.jinja',
    times: 1,
    passage: 'str({{source}})',
    replacement: 'str({{source}}).lower()',
  },
  {
    // Its own answers the first variant that can be read.
    template: UNION,
    times: 1,
    passage: '    {% set ns = namespace(contains_unmodified_properties = false) %}\n',
    replacement: '    found: list[Any] = []\n    {% set ns = namespace(contains_unmodified_properties = false) %}\n',
  },
  {
    template: UNION,
    times: 1,
    passage: `    {% if inner_template.check_type_for_construct and (not loop.last or ns.contains_unmodified_properties) %}
    try:
`,
    replacement: `    try:
        {% if inner_template.check_type_for_construct %}
`,
  },
  {
    template: UNION,
    times: 1,
    passage: `            raise TypeError()
        {{ inner_template.construct(inner_property, "data") | indent(8) }}
        return {{ inner_property.python_name }}
`,
    replacement: `            raise TypeError()
        {% endif %}
        {{ inner_template.construct(inner_property, "data") | indent(8) }}
        found.append({{ inner_property.python_name }})
`,
  },
  {
    template: UNION,
    times: 1,
    passage: `    {% else  %}{# Don't do try/except for the last one nor any properties with no type checking #}
    {% if inner_template.check_type_for_construct %}
    if not {{ inner_template.check_type_for_construct(inner_property, "data") }}:
        raise TypeError()
    {% endif %}
    {{ inner_template.construct(inner_property, "data") | indent(4) }}
    return {{ inner_property.python_name }}
    {% endif %}
    {% endfor %}
    {% if ns.contains_unmodified_properties %}
`,
    replacement: `    {% endfor %}
    if found:
        return cast({{ property.get_type_string() | as_unembedded_code }}, min(found, key=misfit))
    {% if not ns.contains_unmodified_properties %}
    raise TypeError(f"No variant of {{ property.python_name }} has the value {data!r}")
    {% else %}
`,
  },
  { template: 'endpoint_module.py.jinja', times: 2, passage: ').parsed\n', replacement: ').result()\n' },
  {
    template: 'types.py.jinja',
    times: 1,
    passage: `    parsed: T | None
`,
    replacement: `    parsed: T | None

    @property
    def etag(self) -> str:
        """The entity tag of what was answered, for \`if_match\` and \`if_none_match\` """
        return self.headers["ETag"]

    def result(self) -> T:
        """What was answered; raises a ValueError where the answer has no content: nothing has changed (304), say """
        if self.parsed is None:
            raise ValueError(f"The answer has no content: {self.status_code}")
        return self.parsed
`,
  },
  {
    template: 'types.py.jinja',
    times: 1,
    passage: `__all__ = ["UNSET", "File",`,
    replacement: `def boundary() -> str:
    """What parts a multipart body, and stands in none of its parts """
    return secrets.token_hex(16)


def misfit(value: Any) -> tuple[int, int]:
    """How many constants, and how many other properties, a variant of a union does not declare """
    members = [getattr(value, one.name) for one in getattr(value, "__attrs_attrs__", ())]
    unknown = [one for one in [value, *members] if isinstance(one, Enum) and one.name not in type(one).__members__]
    return len(unknown), len(getattr(value, "additional_properties", ()))


def joined(value: Any, delimiter: str) -> Any:
    """The items of a list as one text """
    if not isinstance(value, list):
        return value
    # The transport writes the comma plain, and those of the items not.
    return {",": "\\x1f", ";": " "}.get(delimiter, delimiter).join(_plain(one) for one in value)


def members(value: dict[str, Any], name: str) -> dict[str, Any]:
    """The fields of a map: in brackets, as one text, or its own """
    if name.endswith("{"):
        return {f"{name[:-1]}[{key}]": one for key, one in value.items()}
    if name.endswith(","):
        return {name[:-1]: joined([one for pair in value.items() for one in pair], ",")}
    return value


def segment(value: Any) -> str:
    """A value in a path or a cookie: the items of a list between commas """
    return ",".join(quote(_plain(one), safe="") for one in (value if isinstance(value, list) else [value]))


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value.isoformat() if hasattr(value, "isoformat") else value)


__all__ = ["UNSET", "boundary", "form", "joined", "members", "misfit", "segment", "File",`,
  },
  {
    template: 'types.py.jinja',
    times: 1,
    passage: 'from http import HTTPStatus\nfrom typing import BinaryIO',
    replacement:
      'import json\nimport secrets\nfrom enum import Enum\nfrom http import HTTPStatus\nfrom urllib.parse import quote\nfrom typing import Any, BinaryIO',
  },
  {
    template: 'model.py.jinja',
    times: 1,
    passage: 'from ..types import UNSET, Unset\n',
    replacement: 'from ..types import UNSET, Unset, misfit\n',
  },
  ...(['str', 'int'] as const).map((type) => ({
    template: `${type}_enum.py.jinja`,
    times: 1,
    passage: '    def __str__(self) -> str:',
    replacement: `    @classmethod
    def _missing_(cls, value: object) -> "{{ enum.class_info.name }} | None":
        """A value that a later version of the API has added """
        if not isinstance(value, ${type}):
            return None
        member = ${type}.__new__(cls, value)
        member._name_ = str(value)
        member._value_ = value
        return member

    def __str__(self) -> str:`,
  })),
];

/** The fields of a form: the generator's own writes an object as Python prints it. */
const formOf = (document: Node): readonly Substitution[] => [
  {
    template: 'endpoint_macros.py.jinja',
    times: 2,
    passage: '_kwargs["data"] = body.to_dict()',
    replacement: '_kwargs["data"] = form(body.to_dict())',
  },
  {
    template: 'types.py.jinja',
    times: 1,
    passage: 'def misfit(',
    replacement: `# The fields whose members are in brackets.
_DEEP: list[str] = {% raw %}${JSON.stringify(deepFields(document)).replaceAll('{%', '{ %')}{% endraw %}


def form(values: dict[str, Any]) -> dict[str, Any]:
    """The fields of a form """
    fields: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict) and name in _DEEP:
            fields.update((f"{name}[{key}]", _text(one)) for key, one in value.items())
        else:
            fields[name] = [_text(one) for one in value] if isinstance(value, list) else _text(value)
    return fields


def _text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def misfit(`,
  },
];

/** What the GraphQL part needs besides: from the lowest versions that its tests pass with. */
const GRAPHQL_DEPENDENCIES: Substitution = {
  template: 'pyproject_poetry.toml.jinja',
  times: 1,
  passage: 'attrs = ">=22.2.0"\n',
  replacement: 'attrs = ">=22.2.0"\npydantic = ">=2.8.0,<3.0.0"\n',
};

/** Poetry takes names of letters, digits and little else. */
function authorship(publication: Publication): Substitution {
  const { license, contact } = publication;
  const name = (contact.name ?? '').replace(/[^- .,\w\d'’"():&\p{L}]+/gu, ' ').trim();
  const author = name && contact.email ? `${name} <${contact.email}>` : name;
  const terms = spdxOf(publication) ?? license.name;
  const lines = [
    `authors = [${author && JSON.stringify(author)}]`,
    ...(terms === undefined ? [] : [`license = ${JSON.stringify(terms)}`]),
  ];
  const replacement = `{% raw %}${lines.join('\n').replaceAll('{%', '{ %')}\n{% endraw %}`;
  return { template: 'pyproject_poetry.toml.jinja', times: 1, passage: 'authors = []\n', replacement };
}

/**
 * The templates that differ from the generator's own, by name. Throws `ConfigError` when one of those is not as expected:
 * it is of another version.
 */
export async function pythonTemplates(
  folder: string,
  { graphql, publication, document }: Pick<ClientInput, 'graphql' | 'publication' | 'document'>,
): Promise<ReadonlyMap<string, string>> {
  const written = new Map<string, string>();
  const own = [...formOf(document), authorship(publication), ...(graphql ? [GRAPHQL_DEPENDENCIES] : [])];
  for (const { template, times, passage, replacement } of [...SUBSTITUTIONS, ...own]) {
    const text = written.get(template) ?? (await readFile(join(folder, template), 'utf8'));
    const parts = text.split(passage);
    if (parts.length !== times + 1) throw new ConfigError([`${template} of openapi-python-client is not as expected.`]);
    written.set(template, parts.join(replacement));
  }
  return written;
}
