import { draftOf } from '../../compiler/graphql/convention/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { addProperty } from '../sync/parameter-objects.ts';
import { type Addition, resourceNamed } from './addition.ts';
import type { Field } from './field.ts';
import { enumName, enumSchema, propertyName, propertySchema, valueSchema } from './field-schemas.ts';
import { withTargets } from './id-schemas.ts';

/** The addition of fields to a resource: to its own schema, its input and its patch. */
export const fieldAddition =
  (collection: string, fields: readonly Field[]): Addition =>
  async (contract) => {
    const { side, writer } = contract;
    const resource = resourceNamed(side, collection);
    const { schema, input, patch } = draftOf(side, resource);
    for (const field of withTargets(side, fields)) {
      const name = propertyName(field);
      if (schema.properties.has(name)) throw new ConfigError([`${resource.name} has a property ${name} already.`]);
      const { type } = field;
      const named = enumName(resource.name, field);
      if (type.kind === 'enum') {
        if (writer.has('schemas', named)) throw new ConfigError([`${named} already exists.`]);
        await writer.addComponent('schemas', named, enumSchema(resource.name, field, type.values));
      }
      const value = valueSchema(resource.name, field);
      await addProperty(contract, schema.flat, name, propertySchema(resource.name, field), true);
      if (input) await addProperty(contract, input.flat, name, value, field.isRequired);
      if (patch && !field.isImmutable) await addProperty(contract, patch.flat, name, value, false);
    }
  };
