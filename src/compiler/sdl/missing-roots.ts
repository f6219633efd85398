import { type DefinitionNode, Kind } from 'graphql';
import type { Finding } from '../findings/finding.ts';

const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);

/** Where a definition is, and what it is called. */
interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
}

/**
 * Root types that files extend and none defines: the file with what all others share is missing, and every other fault
 * follows from that.
 */
export function missingRoots(definitions: readonly DefinitionNode[]): readonly Finding[] {
  const defined = new Set(
    definitions.flatMap((one) => (one.kind === Kind.OBJECT_TYPE_DEFINITION ? one.name.value : [])),
  );
  const extended = definitions.flatMap(placeOfRoot).filter(({ name }) => !defined.has(name));
  const [first] = extended;
  if (!first) return [];
  const names = [...new Set(extended.map(({ name }) => `\`${name}\``))].join(' or ');
  const others = new Set(extended.map(({ file }) => file)).size - 1;
  const more = others === 0 ? '' : ` and ${others} other ${others === 1 ? 'file' : 'files'}`;
  const message = `No \`*.graphql\` file defines ${names}, which ${first.file}${more} extend${others === 0 ? 's' : ''}: a file of the contract is missing.`;
  const hint = `Bring it back; in a contract that \`lockstep init\` has started it is \`graphql/schema.graphql\`. Without one, write \`type ${first.name}\`.`;
  const { file, line, column } = first;
  return [{ rule: 'sdl-root', severity: 'error', message, hint, location: { file, line, column, pointer: '' } }];
}

function placeOfRoot(definition: DefinitionNode): readonly Place[] {
  if (definition.kind !== Kind.OBJECT_TYPE_EXTENSION || !ROOTS.has(definition.name.value)) return [];
  const { source, startToken } = definition.loc!;
  return [{ file: source.name, line: startToken.line, column: startToken.column, name: definition.name.value }];
}
