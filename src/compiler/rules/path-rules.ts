import { defaultOf, serverUrl } from '../../descriptor/base-path.ts';
import { sentPath, sentShape } from '../../descriptor/sent-path.ts';
import { suggestion } from '../findings/wording.ts';
import { type ContractDraft, operationsOf } from '../model/draft.ts';
import { camelCase, kebabCase, parameterOf, pathSegments, pathShape } from '../model/naming.ts';
import { isPlural, pluralOf, verbOf } from './english.ts';
import { atOperation, atParameter } from './place.ts';
import { rule } from './rule.ts';
import { theOperations, theResources } from './subjects.ts';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const KEBAB_CASE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

export const pathRules = [
  rule({
    id: 'server-url',
    summary: 'The URL of a server is valid with the defaults of its variables.',
    advice:
      'Operations are served below the path of the first server: `/v1`, or `https://{host}/v1` with `variables: { host: { default: api.example.com } }`.',
    each: ({ document }) => document.servers ?? [],
    check(server) {
      const [unknown] = [...server.url.matchAll(/\{([^{}]*)\}/g)].filter(
        ([, name = '']) => defaultOf(server.variables, name) === undefined,
      );
      const place = { node: server, key: 'url' };
      if (unknown)
        return {
          message: `The URL of this server has the variable \`${unknown[1]}\`, which has no default.`,
          hint: `Write \`variables: { ${unknown[1]}: { default: … } }\` next to the URL, or omit the variable: \`/v1\` is enough.`,
          ...place,
        };
      // It may be relative (OpenAPI 3.1, 4.8.5).
      return (
        !URL.canParse(serverUrl(server), 'http://host') && {
          message: `\`${serverUrl(server)}\` is not a URL.`,
          hint: 'Write a path, such as `/v1`, or an absolute URL.',
          ...place,
        }
      );
    },
  }),
  rule({
    id: 'path-parameter-name',
    summary: 'Path parameters are identifiers.',
    advice: 'Write `{bookId}`. Routers and types accept no other form.',
    each: ({ paths }) =>
      paths.flatMap(({ path, place }) => parameterNames(path).map((name) => ({ path, place, name }))),
    check: ({ path, place, name }) =>
      !IDENTIFIER.test(name) && {
        message: `The parameter \`{${name}}\` of \`${path}\` is not an identifier.`,
        hint: `Write \`{${camelCase(name)}}\`, in the path and in its parameters.`,
        ...place,
      },
  }),
  rule({
    id: 'path-parameter-declared',
    summary: 'Path templates and declared path parameters match.',
    advice: 'Declare each `{parameter}` on the path or on its operations, and no others (OpenAPI 3.1, 4.8.12.1).',
    each: theOperations,
    *check(operation) {
      const names = parameterNames(operation.path);
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
      for (const name of names.filter((one) => !declared.some((parameter) => parameter.name === one)))
        yield {
          message: `\`{${name}}\` of \`${operation.path}\` is not declared for \`${operation.operationId}\`.`,
          hint: `Add \`{ name: ${name}, in: path, required: true, schema: { type: string } }\` to the parameters of the path.`,
          ...atOperation(operation, 'parameters'),
        };
      for (const parameter of declared.filter(({ name }) => !names.includes(name)))
        yield {
          message: `The path parameter \`${parameter.name}\` of \`${operation.operationId}\` is not in \`${operation.path}\`.`,
          hint: suggestion(parameter.name, names),
          ...atParameter(parameter),
        };
    },
  }),
  rule({
    id: 'path-duplicate',
    summary: 'No two paths differ only in the names of their parameters, in a last `/`, or after a `#`.',
    advice: 'Routers (OpenAPI 3.1, 4.8.8) or clients cannot distinguish them. Move the operations to one of the paths.',
    each: ({ paths }) => Map.groupBy(paths, ({ path }) => pathShape(sentPath(path))).values(),
    check: ([first, ...others]) =>
      others.map(({ path, place }) => ({ ...sameness(path, first?.path ?? path), ...place })),
  }),
  rule({
    id: 'path-case',
    summary: 'Path segments are kebab-case.',
    advice: 'Write `/book-loans`.',
    isStyle: true,
    each: staticSegments,
    check: ({ segment, ...place }) =>
      !KEBAB_CASE.test(segment) && {
        message: `The segment \`${segment}\` of \`${place.key}\` is not kebab-case.`,
        hint: `Write \`${kebabCase(segment)}\`.`,
        ...place,
      },
  }),
  rule({
    id: 'path-plural',
    summary: 'A collection has a plural name.',
    advice: 'Write `/books`. This is a warning if the plural is a guess.',
    isStyle: true,
    each: theResources,
    check({ name, path, operations }, { paths }) {
      const segment = pathSegments(path).at(-1) ?? '';
      const own = [path, operations.get.path].flatMap((at) => paths.filter((one) => one.path === at));
      return own.slice(0, isPlural(segment) ? 0 : 1).map(({ place }) => ({
        severity: segment === kebabCase(name) ? 'error' : 'warning',
        message: `The collection \`${path}\` does not have a plural name.`,
        hint: `For example, write \`${path.slice(0, -segment.length)}${pluralOf(segment)}\`.`,
        ...place,
      }));
    },
  }),
  rule({
    id: 'path-verb',
    summary: 'A path consists of nouns.',
    advice: 'The method is the verb: `GET /books`, not `GET /get-books`.',
    isStyle: true,
    each: staticSegments,
    check({ segment, ...place }) {
      const verb = verbOf(segment);
      return (
        verb !== undefined && {
          message: `\`${place.key}\` contains the verb \`${verb}\`; the method already is the verb.`,
          hint: 'Name the created or changed resource, as in `POST /loans/{loanId}/returns`, or change a property with PATCH.',
          ...place,
        }
      );
    },
  }),
];

/** What two paths of one shape have in common; a last `/` alone keeps them apart. */
const sameness = (path: string, first: string): { message: string; hint: string } =>
  sentShape(path) === sentShape(first)
    ? {
        message: `\`${path}\` is the same path as \`${first}\`${`${path}${first}`.includes('#') ? ': clients never send the part after `#`' : ''}.`,
        hint: `Move its operations to \`${first}\`. Of those with the same method, the first one is served.`,
      }
    : {
        message: `\`${path}\` differs from \`${first}\` by its last \`/\` alone.`,
        hint: 'Both are served, each at its own path. Move the operations to one of them: clients and proxies often add or drop the last `/`.',
      };

const parameterNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);

/** Every static segment of every path; breaking a rule in a resource's path is an error. */
function staticSegments({ paths, resources }: ContractDraft) {
  const own = new Set(resources.flatMap((resource) => operationsOf(resource).map(({ path }) => path)));
  return paths.flatMap(({ path, place }) =>
    pathSegments(path)
      .filter((segment) => parameterOf(segment) === undefined)
      .map((segment) => ({ segment, severity: own.has(path) ? 'error' : 'warning', ...place }) as const),
  );
}
