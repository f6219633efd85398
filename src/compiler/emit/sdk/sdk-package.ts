import { declaredPackage, packageVersionOf } from '../../../descriptor/package.ts';
import type { ContractModel } from '../../model/model.ts';
import { type Publication, spdxOf } from '../clients/publication.ts';
import { literal } from '../print.ts';

/** What the package needs at run time; the versions it is tested with. */
const OPENAPI_FETCH = '^0.17.0';
const GRAPHQL_WS = '^6.4.2';
/** The first version whose mutations are given the client of queries. */
const QUERY_CORE = '^5.90.1';

/** The name of the npm package: `info.x-package`, or made of the title. */
export function packageNameOf({ document }: Pick<ContractModel, 'document'>): string {
  const { info } = document;
  const { name } = declaredPackage(document);
  if (name !== undefined) return name;
  const words = info.title
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['api'];
  return `${words.join('-')}-client`;
}

/** `package.json`, ready to be published. */
export function sdkPackage(model: ContractModel, publication: Publication): string {
  const { info } = model.document;
  const hasGraphql = model.graphql !== undefined;
  const entry = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });
  return `${literal({
    name: packageNameOf(model),
    version: packageVersionOf(model.document),
    description: `Client of ${info.title}, generated from its contract.`,
    license: spdxOf(publication) ?? (publication.licenseText === undefined ? 'UNLICENSED' : 'SEE LICENSE IN LICENSE'),
    ...authorOf(publication),
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: {
      '.': entry('index'),
      './bound': entry('bound'),
      ...(hasGraphql && { './graphql': entry('graphql') }),
      './tanstack': entry('tanstack'),
      './package.json': './package.json',
    },
    types: './index.d.ts',
    files: ['**/*.js', '**/*.d.ts'],
    peerDependencies: { '@tanstack/query-core': QUERY_CORE },
    peerDependenciesMeta: { '@tanstack/query-core': { optional: true } },
    dependencies: { ...(hasGraphql && { 'graphql-ws': GRAPHQL_WS }), 'openapi-fetch': OPENAPI_FETCH },
  })}\n`;
}

/** npm has no author without a name. */
const authorOf = ({ contact: { name, email, url } }: Publication): object =>
  name === undefined
    ? {}
    : { author: { name, ...(email !== undefined && { email }), ...(url !== undefined && { url }) } };
