import { type GraphQLArgument, type GraphQLInputField, type GraphQLType, getNamedType, isEnumType } from 'graphql';
import type { RootField } from '../../../compiler/emit/index.ts';
import type { ArgumentSource } from '../../../descriptor/graphql.ts';
import { resourceWithKey } from '../../../descriptor/resource.ts';
import { isLarge } from '../layout/large.ts';
import { link } from '../layout/links.ts';
import { block, code, inline, json, lines, table } from '../layout/markdown.ts';
import { graphqlSamples } from '../samples/graphql.ts';
import { sampleBlocks } from '../samples/samples.ts';
import type { Reference } from './reference.ts';

/** A root field: its type and arguments, a document to run, and what it answers. */
export function fieldText(reference: Reference, root: RootField): string {
  const { field, kind } = root;
  const example = reference.example(root);
  const { document, variables, data } = example;
  const hasVariables = Object.keys(variables).length > 0;
  const limit = reference.model.graphql?.descriptor.limits.cost ?? 0;
  return lines(
    `### ${code(field.name)}`,
    `A ${kind} that answers ${typeLink(reference, field.type)}.`,
    field.deprecationReason != null && `**Deprecated.** ${field.deprecationReason}`,
    argumentTable(reference, root),
    `This document costs ${reference.cost(example)} of the ${limit.toLocaleString('en')} that ${link('one may cost', 'docs/limits.html')}. ${link('Open it in GraphiQL', graphiqlPath(reference, document, variables))}.`,
    [
      block('graphql', document, 'Document'),
      ...(hasVariables ? [json(variables, 'Variables')] : []),
      // Programs differ by their documents alone: of many, guides have them.
      sampleBlocks(
        graphqlSamples(reference.addresses.endpoint, example, reference.needsToken(root)).slice(
          0,
          isLarge(reference.model) ? 1 : undefined,
        ),
      ),
    ].join('\n'),
    kind === 'subscription' ? 'Each event is:' : 'Answers:',
    json({ data }),
  );
}

/** GraphiQL with an operation in its editors: in the fragment, which no server sees. */
function graphiqlPath({ addresses: { graphiql } }: Reference, document: string, variables: object): string {
  return `${graphiql}#${new URLSearchParams({ document, variables: JSON.stringify(variables, undefined, 2) })}`;
}

/** A type of GraphQL as a link to the page of what it names. */
export function typeLink({ places }: Reference, type: GraphQLType): string {
  const path = places.typeNamed(getNamedType(type).name);
  return path === undefined ? code(String(type)) : link(code(String(type)), path);
}

function argumentTable(reference: Reference, root: RootField): string {
  const rows = root.field.args.map((argument) => [
    code(argument.name),
    typeLink(reference, argument.type),
    argumentRules(reference, root, argument).join('; '),
    inline(argument.description ?? ''),
  ]);
  return table(['Argument', 'Type', 'Rules', 'Meaning'], rows);
}

/** Its default, and the bounds of what it stands for in REST. */
function argumentRules(reference: Reference, root: RootField, argument: GraphQLArgument): readonly string[] {
  const bounds = boundsOf(reference, root, argument.name).filter((one) => !one.startsWith('default'));
  return [...(isEnumType(getNamedType(argument.type)) ? [] : bounds), ...defaultOf(argument)];
}

export const defaultOf = ({ defaultValue }: GraphQLArgument | GraphQLInputField): readonly string[] =>
  defaultValue === undefined ? [] : [`default ${code(JSON.stringify(defaultValue))}`];

function boundsOf(reference: Reference, root: RootField, name: string): readonly string[] {
  const { model, words } = reference;
  const descriptor = reference.descriptorOf(root);
  if (descriptor?.kind === 'list' && (name === 'first' || name === 'last')) {
    const { list } = resourceWithKey(model.resources, descriptor.resource);
    return list ? [`1 to ${list.maximumLimit}`] : [];
  }
  const source: ArgumentSource | undefined = descriptor?.kind === 'custom' ? descriptor.arguments?.[name] : undefined;
  const operation =
    descriptor?.kind === 'custom' && model.operations.find((one) => one.operationId === descriptor.operationId);
  if (!source || !operation) return [];
  return words.bounds(operation.parameters.find((one) => one.in === source.in && one.name === source.name)?.schema);
}
