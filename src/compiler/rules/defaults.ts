import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { formats } from '../../descriptor/formats/formats.ts';
import type { ContractDraft } from '../model/draft.ts';
import { pagingParameter, parameterSchema } from '../model/resources/list-parameters.ts';
import { namedSchemas } from '../model/schemas.ts';

/** Where references of a schema that stands alone find the components. */
const DOCUMENT = 'contract:/document';

/** The schemas with defaults, and those that their values must meet: of a property that is declared twice, both. */
export function defaultsOf(draft: ContractDraft) {
  const { schemas: all, resources } = draft;
  const found = new Map<object, readonly object[]>();
  for (const node of all) if (Object.hasOwn(node, 'default')) found.set(node, [node]);
  const objects = resources.flatMap(({ schema, input }) => (input ? [schema, input] : [schema]));
  for (const { schemas } of objects.flatMap(({ flat }) => [...flat.properties.values()])) {
    const nodes = schemas.filter((schema) => typeof schema === 'object');
    for (const node of nodes) if (found.has(node)) found.set(node, nodes);
  }
  const paging = pagingSchemas(draft);
  return [...found]
    .filter(([node]) => !paging.has(node))
    .map(([node, schemas]) => ({ node, schemas, value: (node as { readonly default?: unknown }).default }));
}

/** Those of the sizes and orders of pages, whose rules say more. */
const pagingSchemas = ({ document, resources }: ContractDraft): ReadonlySet<object> =>
  new Set(
    resources.flatMap(({ operations: { list } }) =>
      ['limit', 'sort'].flatMap((name) => {
        const parameter = list && pagingParameter(list, name);
        return parameter ? parameterSchema(document, parameter).nodes : [];
      }),
    ),
  );

/** As the server validates: by its formats, and decimals by their digits. */
const OPTIONS: Options = {
  strict: false,
  logger: false,
  validateSchema: false,
  meta: false,
  multipleOfPrecision: 9,
  formats: { ...formats },
};

type FaultOf = (schema: object, value: unknown) => string | undefined;

/** Says what is wrong with a value. Schemas that cannot be compiled are findings of other rules. */
export function validator(document: OpenApiDocument): FaultOf {
  const ajv = new Ajv2020(OPTIONS);
  ajv.addSchema({ $id: DOCUMENT, components: { schemas: namedSchemas(document) } });
  const compile = (text: string): ValidateFunction | undefined => {
    try {
      return ajv.compile(standingAlone(text));
    } catch {
      return undefined;
    }
  };
  // Documents repeat `{ type: boolean, default: false }` by the hundred.
  const compiled = new Map<string, ValidateFunction | undefined>();
  return (schema, value) => {
    const text = JSON.stringify(schema);
    if (!compiled.has(text)) compiled.set(text, compile(text));
    const validate = compiled.get(text);
    return validate && !validate(value) ? textOf(validate.errors![0]!) : undefined;
  };
}

const standingAlone = (text: string): object =>
  JSON.parse(text, (key, value) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? DOCUMENT + value : value,
  );

function textOf({ instancePath, message, keyword, params }: ErrorObject): string {
  const values = keyword === 'enum' ? (params['allowedValues'] as readonly unknown[]) : undefined;
  const what = values ? `must be one of ${values.map((one) => JSON.stringify(one)).join(', ')}` : message;
  return `${instancePath} ${what}`.trim();
}
