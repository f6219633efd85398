import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import { contractRecord } from '../descriptor/migration/contract-record.ts';
import { type ResourceDescriptor, resourceWithKey } from '../descriptor/resource.ts';
import { createRowCodec } from './engine/resource/row-codec.ts';
import { createSchemaRegistry } from './schema/create-schema-registry.ts';
import type { DatabaseLocation, Wanted } from './storage/database/database.ts';
import { ownResources } from './storage/mapped.ts';
import { isJson } from './storage/migration/converted.ts';
import type { JudgeRows, RowFault } from './storage/migration/row-check.ts';
import { withOwnTables } from './storage/stand-in.ts';

/** What a database is to hold for a contract: its tables, in SQLite also those in place of mapped ones, and rows that meet its schemas. */
export function wantedBy(
  { document, resources }: Pick<CompiledContract, 'document' | 'resources'>,
  kind: DatabaseLocation['kind'] = 'postgres',
): Wanted {
  const held = kind === 'sqlite' ? withOwnTables(resources) : ownResources(resources);
  return {
    resources,
    contract: { ...contractRecord(document, held), judge: judgeBy({ document, resources }) },
  };
}

/** Holds rows against the schema that their resource is answered by. */
function judgeBy({ document, resources }: Pick<CompiledContract, 'document' | 'resources'>): JudgeRows {
  const schemas = createSchemaRegistry(document);
  return (narrowed) => {
    const codec = createRowCodec(narrowed.properties);
    const whole = resourceWithKey(resources, narrowed.key);
    const initial = initialValues(whole, narrowed);
    const validate = schemas.output({ $ref: `#/components/schemas/${narrowed.schemas.resource}` });
    const json = narrowed.properties.flatMap(({ name, type }, at) => (type === 'json' ? [{ name, at }] : []));
    return (row, changed = {}) => {
      // Another program may have written what is not JSON.
      const broken = json.filter(({ name, at }) => row[at] !== null && !(name in changed) && !isJson(String(row[at])));
      const readable =
        broken.length === 0 ? row : row.map((value, i) => (broken.some(({ at }) => at === i) ? null : value));
      const faults = (validate({ ...initial, ...codec.toValues(readable), ...changed }) ?? []).map(faultOf);
      const others = faults.filter(({ property }) => broken.every(({ name }) => name !== property));
      return [...broken.map(({ name }): RowFault => ({ property: name, detail: 'must be JSON' })), ...others];
    };
  };
}

/** The values that properties get which the table lacks. */
function initialValues({ properties }: ResourceDescriptor, narrowed: ResourceDescriptor): Record<string, unknown> {
  const present = new Set(narrowed.properties.map(({ name }) => name));
  const missing = properties.filter(({ name, initial }) => !present.has(name) && initial !== undefined);
  return Object.fromEntries(missing.map(({ name, initial }) => [name, initial]));
}

function faultOf(error: { readonly detail?: string | undefined; readonly pointer?: string }): RowFault {
  const [, property = '', ...inside] = (error.pointer ?? '').split('/');
  const place = inside.length > 0 ? ` (/${inside.join('/').replaceAll(/\d+/g, '…')})` : '';
  return { property: property.replaceAll('~1', '/').replaceAll('~0', '~'), detail: `${error.detail ?? ''}${place}` };
}
