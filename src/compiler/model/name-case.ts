import type { NameCase } from '../../descriptor/convention-names.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';

/** What `x-naming` on `info` asks for. */
export interface Naming {
  readonly case: NameCase;
  /** Names that differ from the recommended ones are errors. */
  readonly isStrict: boolean;
}

/** The naming of a document; camelCase, and any other name as well, where it says nothing. */
export function namingOf({ info }: OpenApiDocument): Naming {
  const declared = (info as { readonly 'x-naming'?: unknown } | undefined)?.['x-naming'];
  const { case: nameCase, strict } = Object(declared) as { readonly case?: unknown; readonly strict?: unknown };
  return {
    case: nameCase === 'snake_case' ? 'snake_case' : 'camelCase',
    isStrict: declared === 'strict' || strict === true,
  };
}
