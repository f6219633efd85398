import type { ClientInput } from '../common/client-language.ts';
import { oneWord } from '../common/names.ts';

/** As imports and as code spell the package. */
export interface GoNames {
  readonly module: string;
  readonly package: string;
}

/** Those that the caller has chosen, or made from the title. */
export function goNames({ name, packageName }: ClientInput): GoNames {
  const module = packageName ?? `example.com/${name}`;
  const last = module
    .split('/')
    .filter((part) => !/^v\d+$/.test(part))
    .at(-1)!;
  return { module, package: oneWord(last) };
}
