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
  '@graphql-codegen/typescript-resolvers': resolversPlugin,
};

type PluginModule = Awaited<ReturnType<PluginLoader>>;

/**
 * The plugin imports the types of graphql-js from the module that its option `graphqlModule` names: Lockstep exports them,
 * so that a project need not depend on graphql-js itself.
 */
async function resolversPlugin(): Promise<PluginModule> {
  const { plugin, ...rest } = await import('@graphql-codegen/typescript-resolvers');
  return {
    ...rest,
    plugin: async (schema, documents, config, info) => {
      const output = await plugin(schema, documents, config, info);
      const from = (config as { readonly graphqlModule?: string }).graphqlModule;
      if (typeof output === 'string' || from === undefined) return output;
      const prepend = output.prepend?.map((line) => line.replace(/ from 'graphql';$/, () => ` from '${from}';`));
      return { ...output, ...(prepend && { prepend }) };
    },
  };
}

/** Loads a plugin by the name of its package, or by a path, as a file in `root` would import it. */
export function pluginLoader(root: string): PluginLoader {
  const { resolve } = createRequire(join(root, 'codegen.ts'));
  return (name) => OWN[name]?.(name) ?? import(pathToFileURL(resolve(name)).href);
}
