import { isEnumType, isInputObjectType, isObjectType } from 'graphql';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { batchSizeText, batchTypes } from '../convention/batches.ts';
import type { Definition } from '../convention/definition.ts';
import type { RootDraft } from '../convention/further-fields.ts';
import { memberFact } from './field-facts.ts';
import type { ListedSite } from './list-facts.ts';
import type { Parity } from './parity.ts';
import { addMember, setDirectives } from './sdl-edits.ts';

interface BatchSite extends ListedSite {
  readonly resource: ResourceDescriptor;
}

/** For `POST /products/batch`, the size and the types of the field `batchProducts`. */
export function batchFacts(parity: Parity, site: BatchSite, batch: RootDraft<'batch'>): void {
  sizeFact(parity, site, batch);
  for (const definition of batchTypes(parity, site.resource, batch)) typeFact(parity, site, definition);
}

/** What counts the items must be there: nothing else does. */
function sizeFact(parity: Parity, { resource, coordinate, field }: ListedSite, batch: RootDraft<'batch'>): void {
  const { assumedSize, slicingArguments, sizedFields } = parity.directive(field, 'listSize') ?? {};
  const isCounted = [slicingArguments].flat().includes('items') && [sizedFields].flat().includes('results');
  const wanted = `${batch.maxItems} items`;
  const rest = parity.operation(wanted, batch.operation);
  const graphql = parity.own(isCounted ? `${String(assumedSize)} items` : undefined, field, coordinate);
  parity.add(resource.key, 'cost', `${coordinate}(items:)`, rest, graphql, () =>
    setDirectives(field.astNode, 'listSize', batchSizeText(batch)),
  );
}

function typeFact(parity: Parity, { resource, operation }: ListedSite, definition: Definition): void {
  const type = parity.schema.getType(definition.name);
  const at = (text: string | undefined) => parity.rest(text, operation.item, operation.method);
  if (isEnumType(type)) {
    for (const { name } of definition.members) {
      const found = type.getValue(name) ?? undefined;
      const coordinate = `${type.name}.${name}`;
      parity.add(
        resource.key,
        'enum',
        coordinate,
        at(name),
        parity.graphql(found?.name, found ?? type, coordinate),
        () => addMember(type.astNode, name),
      );
    }
    return;
  }
  if (!isObjectType(type) && !isInputObjectType(type)) return;
  const fields = type.getFields();
  const isOneOf = isInputObjectType(type) && type.isOneOf;
  if (definition.directives?.includes('@oneOf') && !isOneOf)
    parity.add(resource.key, 'input', type.name, at('@oneOf'), parity.graphql('object', type, type.name));
  for (const name of new Set([...definition.members.map((one) => one.name), ...Object.keys(fields)])) {
    const wanted = definition.members.find((one) => one.name === name);
    const aspect = isObjectType(type) ? 'field' : 'input';
    memberFact(
      parity,
      { area: resource.key, aspect, holder: type, found: fields[name] },
      wanted ?? { name },
      at(wanted?.type),
    );
  }
}
