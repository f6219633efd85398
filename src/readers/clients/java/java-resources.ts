import type { ResourceTree } from '../../../compiler/emit/clients/index.ts';
import { upperFirst } from '../../../compiler/model/index.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import type { GeneratedNames } from './generated-names.ts';
import { actionsOf } from './java-actions.ts';
import { accessorOf, type JavaCallNames } from './java-call-names.ts';
import { apiFields, plainMethods } from './java-calls.ts';
import { JavaClasses } from './java-class.ts';
import { javadocLine } from './java-problems.ts';

/** What classes of calls are made from. */
interface Making {
  readonly root: string;
  readonly names: GeneratedNames;
  readonly classes: JavaClasses;
}

/** A class that is written, and the resource that it is of. */
interface Bound {
  readonly className: string;
  readonly tree: ResourceTree;
  readonly children: readonly Bound[];
}

/** The text of `Client.java` and of a class for each resource, by their paths. */
export function javaResources(
  trees: readonly ResourceTree[],
  calls: JavaCallNames,
  names: GeneratedNames,
  root: string,
): ReadonlyMap<string, string> {
  const classNames = new Set<string>();
  const bind = (tree: ResourceTree, before: string): Bound => {
    const path = before + upperFirst(tree.name);
    let className = `${path}Resource`;
    while (classNames.has(className)) className += '_';
    classNames.add(className);
    return { className, tree, children: tree.children.map((child) => bind(child, path)) };
  };
  const bound = trees.map((tree) => bind(tree, ''));
  const making = { root, names, classes: new JavaClasses(root, names.classes, [...classNames]) };
  const all = bound.flatMap(withChildren);
  return new Map([
    ['Client.java', clientClass(bound, calls, making)],
    ...all.map((one) => [`resources/${one.className}.java`, resourceClass(one, making)] as const),
  ]);
}

const withChildren = (bound: Bound): readonly Bound[] => [bound, ...bound.children.flatMap(withChildren)];
function clientClass(bound: readonly Bound[], calls: JavaCallNames, making: Making): string {
  const { root, names, classes } = making;
  const custom = [...calls.operations].map(([id, name]) => ({ name, operation: lookUp(names.operations, id) }));
  const apis = apiFields(custom.map(({ operation }) => operation));
  const members = [
    '  private final Connection connection;\n',
    ...apis.map(({ field }) => field),
    ...bound.map((one) => fieldOf(one)),
    `
  /** A client of nobody who is signed in. */
  public Client(String baseUrl) {
    this(new Connection(baseUrl));
  }

  /** {@code token} is asked before each attempt. */
  public Client(String baseUrl, Supplier<String> token) {
    this(new Connection(baseUrl, token));
  }

  public Client(Connection connection) {
    this.connection = connection;
${[...apis.map(({ statement }) => statement), ...bound.map((one) => settingOf(one))].join('')}  }

  /** What it sends requests by; the classes of {@code api} take it. */
  public Connection connection() {
    return connection;
  }
`,
    ...bound.map((one) => accessor(one)),
    ...custom.map(({ name, operation }) => plainMethods(name, operation, operation.path, classes)),
  ];
  return classes.file(root, 'The API: its resources, and what else it does.', 'Client', members);
}

const fieldName = ({ tree }: Bound): string => `${accessorOf(tree)}Resource`;
const fieldOf = (bound: Bound): string => `  private final ${bound.className} ${fieldName(bound)};\n`;
const settingOf = (bound: Bound): string => `    ${fieldName(bound)} = new ${bound.className}(connection);\n`;

const accessor = (bound: Bound): string => `
  /** ${descriptionOf(bound.tree)} */
  public ${bound.className} ${accessorOf(bound.tree)}() {
    return ${fieldName(bound)};
  }
`;

const descriptionOf = ({ resource, name }: ResourceTree): string =>
  resource
    ? `{@code ${javadocLine(resource.path)}}: {@code ${javadocLine(resource.name)}}.`
    : `What is below {@code /${name}}.`;

function resourceClass({ className, tree, children }: Bound, { root, names, classes }: Making): string {
  const operations = Object.values(tree.resource?.actions ?? {}).map(({ operationId }) =>
    lookUp(names.operations, operationId),
  );
  const apis = apiFields(operations);
  const members = [
    ...apis.map(({ field }) => field),
    ...children.map((child) => fieldOf(child)),
    `
  public ${className}(Connection connection) {
${[...apis.map(({ statement }) => statement), ...children.map((child) => settingOf(child))].join('')}  }
`,
    ...children.map((child) => accessor(child)),
    ...(tree.resource ? actionsOf(tree.resource, names, classes) : []),
  ];
  return classes.file(`${root}.resources`, descriptionOf(tree), className, members);
}
