import type { ClientInput } from '../common/client-language.ts';

/** As pip and as `import` spell the package. */
export interface PythonNames {
  readonly distribution: string;
  readonly module: string;
}

/** Those that the caller has chosen, or made from the title. */
export function pythonNames({ name, packageName }: Pick<ClientInput, 'name' | 'packageName'>): PythonNames {
  const distribution = packageName ?? name;
  return {
    distribution,
    module: distribution
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^(?=\d)/, '_'),
  };
}
