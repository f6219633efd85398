import { relative, resolve } from 'node:path';
import { ConfigError } from '../../descriptor/config-error.ts';
import { type Keep, kept } from '../../descriptor/keep.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import type { GraphqlModel } from '../model/model.ts';
import { codegenConfig, OUTPUT, TYPES } from './codegen/lockstep-codegen.ts';
import type { ProjectCodegen } from './codegen/project-codegen.ts';
import { codegenSchema, runCodegen } from './codegen/run-codegen.ts';
import { fromBelow } from './folder/library.ts';
import type { OutputFiles } from './folder/output-folder.ts';
import { renamedObjects } from './renamed-objects.ts';

/**
 * `types/graphql.ts`: the schema's types, and what resolvers take and answer (graphql-codegen); and what the `codegen.ts` of
 * the project adds to it. Throws `ConfigError` for what cannot be made.
 */
export async function emitGraphqlTypes(
  { sdl, descriptor }: GraphqlModel,
  { root, extension }: ProjectCodegen,
  library: string,
  keep: Keep,
): Promise<OutputFiles> {
  const contract = {
    schema: sdl,
    rowTypes: [...Object.keys(descriptor.types), ...renamedObjects(descriptor)],
    enumValues: descriptor.enums ?? {},
    library: fromBelow(1, library),
  };
  const config = codegenConfig(extension, contract, root);
  const run = (given = config) =>
    runCodegen(given).catch((error: Error) => {
      throw new ConfigError([`codegen.ts: ${error.message}`]);
    });
  const own = async () => lookUp(await run({ ...config, schema: codegenSchema(sdl) }), TYPES);
  // What a project adds may depend on more than the contract.
  const files =
    Object.keys(extension).length > 0
      ? await run()
      : new Map([[TYPES, await kept(keep, 'graphql', [JSON.stringify(contract)], own)]]);
  return new Map([...files].map(([path, text]) => [pathInOutput(root, path), text]));
}

/** Output is compared and replaced as a whole, which is possible in a folder of its own alone. */
function pathInOutput(root: string, path: string): string {
  const within = relative(resolve(root, OUTPUT), resolve(root, path)).replaceAll('\\', '/');
  if (/^\.\.(?:\/|$)/.test(within)) throw new ConfigError([`codegen.ts: ${path} is not in ${OUTPUT}/.`]);
  return within;
}
