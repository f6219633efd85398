import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CodegenConfig } from '@graphql-codegen/cli';

type PluginLoader = NonNullable<CodegenConfig['pluginLoader']>;

/** The plugins of Lockstep's own output: in its versions, and found also where a project has none of them. */
const OWN: Readonly<Record<string, PluginLoader>> = {
  '@graphql-codegen/add': () => import('@graphql-codegen/add'),
  '@graphql-codegen/typescript': () => import('@graphql-codegen/typescript'),
  '@graphql-codegen/typescript-operations': () => import('@graphql-codegen/typescript-operations'),
  '@graphql-codegen/typescript-resolvers': () => import('@graphql-codegen/typescript-resolvers'),
};

/** Loads a plugin by the name of its package, or by a path, as a file in `root` would import it. */
export function pluginLoader(root: string): PluginLoader {
  const { resolve } = createRequire(join(root, 'codegen.ts'));
  return (name) => OWN[name]?.(name) ?? import(pathToFileURL(resolve(name)).href);
}
