import { ConfigError } from '../../descriptor/config-error.ts';
import type { Addition } from './addition.ts';
import { type Field, readField } from './field.ts';
import { batchAddition } from './new-batch.ts';
import { errorAddition, readError } from './new-error.ts';
import { fieldAddition } from './new-field.ts';
import { includeAddition } from './new-include.ts';
import { linksAddition } from './new-links.ts';
import { filterAddition, readFilter, sortAddition } from './new-list-parameter.ts';
import { operationAddition, readRoute } from './new-operation.ts';
import { resourceAddition } from './new-resource.ts';
import { readTotalled, totalsAddition } from './new-totals.ts';
import { nounOf } from './noun.ts';
import type { AdditionFlags, AdditionKind } from './words/addition-kinds.ts';

/** Reads the words of a command line: what is added, to what, and the rest. Throws `ConfigError`. */
export function readAddition(
  kind: AdditionKind,
  target: string,
  words: readonly string[],
  { singular, returns, id }: AdditionFlags,
): Addition {
  if (id !== undefined && kind !== 'resource')
    throw new ConfigError(['--id is of a new resource; a reference has the type of the ids that it refers to.']);
  switch (kind) {
    case 'resource': {
      const [collection, ...above] = target.split('/').toReversed();
      const parent = above.length === 0 ? undefined : above.toReversed().join('/');
      return resourceAddition(nounOf(collection!, singular), some(readFields(words), 'name:string!'), {
        parent,
        id,
      });
    }
    case 'field':
      return fieldAddition(target, some(readFields(words), 'name:string!'));
    case 'reference':
      return fieldAddition(target, some(readFields(words.map(referenceField)), 'author:authors!'));
    case 'filter':
      return filterAddition(target, some(words, 'status or pages:gte,lte').map(readFilter));
    case 'sort':
      return sortAddition(target, some(words, 'title'));
    case 'totals':
      return totalsAddition(target, words.map(readTotalled));
    case 'batch':
      if (words.length > 0) throw new ConfigError([`A batch has all actions of ${target}: name nothing else.`]);
      return batchAddition(target);
    case 'links':
      return linksAddition(target, one(words, 'labels'));
    case 'include':
      return includeAddition(target, some(words, 'author or copies.shelf'));
    case 'operation': {
      const [route = '', ...fields] = words;
      return operationAddition({ operationId: target, ...readRoute(route), fields: readFields(fields), returns });
    }
    case 'error':
      return errorAddition(readError(target, words[0], words.slice(1).join(' ')));
  }
}

function readFields(words: readonly string[]): readonly Field[] {
  const fields = words.map(readField);
  const names = fields.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new ConfigError([`${twice} is given twice.`]);
  return fields;
}

/** `author:authors!` → `author:ref(authors)!` */
function referenceField(text: string): string {
  const [, name, collection, rest] = /^([^:]+):([A-Za-z][\w/-]*)(.*)$/.exec(text) ?? [];
  if (name === undefined || rest?.startsWith('('))
    throw new ConfigError([`${text} is not a reference; write name:collection, like author:authors.`]);
  return `${name}:ref(${collection})${rest}`;
}

/** The only word. Throws `ConfigError`. */
export function one(words: readonly string[], example: string): string {
  const [word, ...others] = words;
  if (word === undefined || others.length > 0) throw new ConfigError([`Name one other collection, like ${example}.`]);
  return word;
}

function some<T>(words: readonly T[], example: string): readonly T[] {
  if (words.length === 0) throw new ConfigError([`Name the addition, like ${example}.`]);
  return words;
}
