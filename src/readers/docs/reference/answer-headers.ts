import { resolveReference } from '../../../compiler/json-schema/index.ts';
import type { OperationModel } from '../../../compiler/model/index.ts';
import type { Schema } from '../../../descriptor/document.ts';
import { code, inline, lines, table } from '../layout/markdown.ts';
import { successOf } from '../samples/sample-answers.ts';
import type { Reference } from './reference.ts';

interface Header {
  readonly description?: string;
  readonly schema?: Schema;
}

/** The header fields of the first answer of success, and what is done with them. */
export function headersOf({ model, words }: Reference, operation: OperationModel): string {
  const rows = Object.entries(successOf(operation)?.[1].headers ?? {}).map(([name, declared]) => {
    const { description = '', schema } = resolveReference<Header>(model.document, declared as Header) ?? {};
    return [code(name), words.type(schema), inline(`${description} ${name === 'ETag' ? useOfTag(operation) : ''}`)];
  });
  return rows.length === 0 ? '' : lines('### Header fields', table(['Field', 'Type', 'Meaning'], rows));
}

/** What a tag is sent back for. */
function useOfTag({ method, parameters, default: own }: OperationModel): string {
  const isRead = parameters.some(({ in: place, name }) => place === 'header' && /^if-none-match$/i.test(name));
  return [
    ...(isRead ? [`As ${code('If-None-Match')} of the same request, it gets 304 while nothing has changed.`] : []),
    ...(own && own.action !== 'list' && method !== 'delete'
      ? [`As ${code('If-Match')} of a change, with its quotes, it lets that change only this version.`]
      : []),
  ].join(' ');
}
