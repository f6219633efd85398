import { type GraphQLSchema, parse, print, visit } from 'graphql';
import {
  type ClientDocument,
  type ClientFragment,
  type ClientVariable,
  operationText,
} from '../../../compiler/emit/clients/index.ts';
import { lowerFirst } from '../../../compiler/model/index.ts';
import type { GraphqlInput } from '../common/client-language.ts';
import { inputTypeOf } from '../common/scalars.ts';
import { addFieldOptions, listedTypes, UNSPEAKABLE } from './go-inputs.ts';

const GO_WORDS = new Set(
  'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var'.split(
    ' ',
  ),
);

/** A field that no server has, which makes genqlient write types; Go sees nothing of it. */
const TYPES = 'lockstepTypes';

/** The SDL without the fields of inputs that genqlient cannot name. */
export function goSchema({ sdl, schema }: GraphqlInput): string {
  const ast = visit(parse(sdl), {
    InputObjectTypeDefinition: ({ fields = [], ...rest }) => ({
      ...rest,
      fields: fields.filter(
        ({ name, type }) => !UNSPEAKABLE.test(name.value) && !UNSPEAKABLE.test(print(type).replace(/[[\]!]/g, '')),
      ),
    }),
  });
  const types = typesDocument(schema);
  const args = types?.variables.map(({ name, type }) => `${name}: ${type}`).join(', ');
  return `${print(ast)}\n${args ? `extend type ${schema.getQueryType()!.name} { ${TYPES}(${args}): Boolean }\n` : ''}`;
}

function typesDocument(schema: GraphQLSchema): ClientDocument | undefined {
  const variables = listedTypes(schema).map((type, index) => ({ name: `type${index}`, type: `${type}!` }));
  return variables.length === 0 ? undefined : { name: TYPES, kind: 'query', field: TYPES, variables, selection: '' };
}

/**
 * The documents in the words of genqlient: what is not set is not sent, lists differ from null, and what is one fragment has
 * its type. The functions of subscriptions are not exported: genqlient's connection ends at the first error of one of them.
 */
export function goDocuments({ documents, fragments, ownDocuments, schema }: GraphqlInput): string {
  const operations = documents.map((one) =>
    one.kind === 'subscription' ? { ...one, name: lowerFirst(one.name) } : one,
  );
  const types = typesDocument(schema);
  return [
    ...fragments.map(fragmentOf),
    ...[...operations, ...(types ? [types] : [])].map((one) => operationOf(one, schema)),
    ownDocuments,
  ].join('\n');
}

function fragmentOf({ type, name, fields }: ClientFragment): string {
  const lines = fields.map((field) => {
    const alias = UNSPEAKABLE.test(field.name)
      ? `  # @genqlient(alias: "Value${field.name.replace(/^_+/, '')}")\n`
      : '';
    return `${alias}  ${field.name}${field.selection && ` ${field.selection}`}\n`;
  });
  return `# @genqlient(flatten: true)\nfragment ${name} on ${type} {\n${lines.join('')}}\n`;
}

function operationOf(document: ClientDocument, schema: GraphQLSchema): string {
  const inputs = new Map<string, string>();
  const before = ({ type: text }: ClientVariable): string => {
    addFieldOptions(inputTypeOf(schema, text), inputs);
    return `\n${text.endsWith('!') ? '' : '  # @genqlient(omitempty: true)\n'}  `;
  };
  const text = operationText(document, { nameOf, before });
  const head = [...inputs].map(([field, options]) => `# @genqlient(for: "${field}", ${options})\n`);
  return `# @genqlient(flatten: true)\n${head.join('')}${text}`;
}

const nameOf = (argument: string): string => (GO_WORDS.has(argument) ? `${argument}Value` : argument);
