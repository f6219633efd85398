import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Publication, spdxOf } from '../../../compiler/emit/clients/index.ts';
import { ConfigError } from '../../../descriptor/config-error.ts';
import type { ClientInput } from '../common/client-language.ts';

/** A passage of one of the generator's templates, as often as it stands there. */
interface Substitution {
  readonly template: string;
  readonly times: number;
  readonly passage: string;
  readonly replacement: string;
}

const SUBSTITUTIONS: readonly Substitution[] = [
  {
    // The names that `pythonDocument` gives to filters.
    template: 'endpoint_macros.py.jinja',
    times: 1,
    passage: `params["{{ property.name | in_double_quote_literal }}"] = {{ destination }}
`,
    replacement: `{% set written = property.name | in_double_quote_literal | string %}
params["{{ written | replace(". ", "[") }}{{ "]" if ". " in written }}"] = {{ destination }}
`,
  },
  {
    template: 'endpoint_module.py.jinja',
    times: 2,
    passage: ') -> {{ return_string | as_unembedded_code }} | None:',
    replacement: ') -> {{ return_string | as_unembedded_code }}:',
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
  { graphql, publication }: Pick<ClientInput, 'graphql' | 'publication'>,
): Promise<ReadonlyMap<string, string>> {
  const written = new Map<string, string>();
  const own = [authorship(publication), ...(graphql ? [GRAPHQL_DEPENDENCIES] : [])];
  for (const { template, times, passage, replacement } of [...SUBSTITUTIONS, ...own]) {
    const text = written.get(template) ?? (await readFile(join(folder, template), 'utf8'));
    const parts = text.split(passage);
    if (parts.length !== times + 1) throw new ConfigError([`${template} of openapi-python-client is not as expected.`]);
    written.set(template, parts.join(replacement));
  }
  return written;
}
