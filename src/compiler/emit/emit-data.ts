import type { ContractModel, GraphqlModel } from '../model/model.ts';
import { HEADER, literal, printed } from './print.ts';

/** `openapi.json`: the bundled and completed document. */
export const emitDocument = ({ document }: ContractModel): string => `${JSON.stringify(document, undefined, 2)}\n`;

/** `rest.json`: what the server reads of it. Each parameter, body and response is on a line of its own. */
export const emitRest = ({ rest }: ContractModel): string => `${printed(rest, 4)}\n`;

/** `tools.json`: what agents are offered, a tool on each line. */
export const emitTools = ({ tools }: ContractModel): [path: string, text: string][] =>
  tools ? [['tools.json', `${printed(tools, 2)}\n`]] : [];

/** `resources.ts`: descriptors of the resources, which the engine is built from. */
export const emitResources = ({ resources }: ContractModel, library: string): string =>
  constant('resources', 'ResourceDescriptor', resources, library, 'readonly ResourceDescriptor[]');

/** `schema.graphql`: the contract's SDL in one file. `graphql.ts`: what its fields stand for, as data. */
export const emitGraphql = ({ sdl, descriptor }: GraphqlModel, library: string): [path: string, text: string][] => [
  ['schema.graphql', `${HEADER.replace('//', '#')}\n${sdl}\n`],
  ['graphql.ts', constant('graphql', 'GraphqlDescriptor', descriptor, library)],
];

const constant = (name: string, imported: string, value: unknown, library: string, type = imported): string =>
  `${HEADER}import type { ${imported} } from '${library}';

export const ${name}: ${type} = ${literal(value)};
`;
