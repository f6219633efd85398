import type { FlatSchema } from '../../compiler/json-schema/flat-schema.ts';
import type { ContractSource } from '../../compiler/model/source.ts';
import type { OpenApiWriter } from './openapi-writer.ts';

/** Adds a property beside the last one of an object's schema, and its name to `required` if it is. */
export async function addProperty(
  source: ContractSource,
  writer: OpenApiWriter,
  flat: FlatSchema,
  name: string,
  value: object,
  isRequired: boolean,
): Promise<void> {
  const node = flat.nodes.at(-1)!;
  const holder = [...flat.properties.values()].at(-1)?.holder;
  if (holder) await writer.addProperty(source.locate(holder), name, value);
  else await writer.addProperty(source.locate(node), name, value, ['properties']);
  if (!isRequired) return;
  const required = [...flat.required.values()].at(-1);
  if (required) await writer.addName(source.locate(required), name);
  else await writer.addName(source.locate(node), name, ['required']);
}
