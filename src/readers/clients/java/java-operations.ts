import { type GraphQLType, getNullableType, isListType, isScalarType } from 'graphql';
import {
  type ClientDocument,
  type ClientFragment,
  fragmentText,
  operationText,
} from '../../../compiler/emit/clients/index.ts';
import { lowerFirst } from '../../../compiler/model/index.ts';
import type { GraphqlInput } from '../common/client-language.ts';
import { inputTypeOf } from '../common/scalars.ts';
import { javadocLine } from './java-problems.ts';
import { JAVA_SCALARS } from './java-scalars.ts';
import { isJavaWord } from './java-words.ts';

const BUILT_IN: Readonly<Record<string, string>> = {
  Boolean: 'Boolean',
  Float: 'Double',
  ID: 'String',
  Int: 'Integer',
  String: 'String',
};

/** `Graphql.java`: a method for each query, mutation and subscription. */
export function javaOperations(graphql: GraphqlInput, root: string): string {
  const { documents, creating, schema } = graphql;
  const methods = documents.map((one) => methodOf(one, graphql, root));
  const hasPages = schema.getType('PageInfo') !== undefined;
  return `package ${root};

import ${root}.invoker.ApiException;
import com.fasterxml.jackson.core.type.TypeReference;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The API over GraphQL: a method for each query, mutation and subscription, which asks for every property. An argument that is null is not given. */
public class Graphql extends GraphqlConnection {
  private static final Set<String> CREATING = Set.of(${creating.map((name) => JSON.stringify(name)).join(', ')});

  /** A connection of nobody who is signed in. */
  public Graphql(String baseUrl) {
    this(baseUrl, null);
  }

  /** {@code token} is asked before each attempt; the path is that of the server's GraphQL, {@code /graphql}. */
  public Graphql(String baseUrl, Supplier<String> token) {
    super(URI.create(baseUrl).resolve("/graphql"), token, CREATING);
  }

  /** Of another path. */
  public Graphql(URI url, Supplier<String> token) {
    super(url, token, CREATING);
  }
${hasPages ? nextOf(root) : ''}${methods.join('')}}
`;
}

const nextOf = (root: string): string => `
  /** The cursor of the page after this one, for {@link Pages#all}; null when it is the last. */
  public static String next(${root}.graphql.types.PageInfo page) {
    return page.getHasNextPage() ? page.getEndCursor() : null;
  }
`;

function methodOf(document: ClientDocument, { schema, fragments }: GraphqlInput, root: string): string {
  const { kind, field: name, variables } = document;
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  const field = roots[kind]!.getFields()[name]!;
  const answer = javaType(field.type, root);
  const declared = variables.map(
    ({ name: own, type }) => `${javaType(inputTypeOf(schema, type), root)} ${nameOf(own)}`,
  );
  const puts = variables.map((one) => {
    const put = `variables.put("${one.name}", ${nameOf(one.name)});`;
    return one.type.endsWith('!') ? `    ${put}\n` : `    if (${nameOf(one.name)} != null) {\n      ${put}\n    }\n`;
  });
  const text = [operationText(document), ...usedBy(document.selection, fragments).map(fragmentText)].join('');
  const data = (from: string) => `read(${from}.path("${name}"), new TypeReference<${answer}>() {})`;
  return `
  /** ${javadocLine(field.description ?? name)} */
  public ${kind === 'subscription' ? `Events<${answer}>` : answer} ${lowerFirst(document.name)}(${declared.join(', ')}) throws ApiException {
    Map<String, Object> variables = new HashMap<>();
${puts.join('')}    String document = ${JSON.stringify(text.replace(/\s+/g, ' ').trim())};
    return ${kind === 'subscription' ? `subscribe(document, variables, data -> ${data('data')})` : data('run(document, variables)')};
  }
`;
}

const nameOf = (argument: string): string =>
  isJavaWord(argument) || ['document', 'variables'].includes(argument) ? `${argument}Value` : argument;

/** The fragments of a selection, and those of their own. */
function usedBy(selection: string, fragments: readonly ClientFragment[]): ClientFragment[] {
  const used = new Set<ClientFragment>();
  const texts = [selection];
  for (const text of texts) {
    const spread = new Set([...text.matchAll(/\.\.\.(\w+)/g)].map(([, name]) => name));
    for (const one of fragments.filter(({ name }) => spread.has(name))) {
      if (!used.has(one)) texts.push(fragmentText(one));
      used.add(one);
    }
  }
  return [...used];
}

function javaType(given: GraphQLType, root: string): string {
  const type = getNullableType(given);
  if (isListType(type)) return `List<${javaType(type.ofType, root)}>`;
  if (!isScalarType(type)) return `${root}.graphql.types.${type.name}`;
  return BUILT_IN[type.name] ?? JAVA_SCALARS[type.name] ?? 'Object';
}
