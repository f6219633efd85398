import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { snakeCase } from '../../src/compiler/model/naming.ts';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { operationsOf, type ResourceDescriptor } from '../../src/descriptor/resource.ts';
import { textsIn, withFolder } from './folder.ts';
import { OFFER } from './offering.ts';
import { contractOf } from './service.ts';

/** A contract of `test/fixtures`, offered to agents as well, whose reads may include all that they can, at two levels. */
export async function includingAll(fixture: string): Promise<CompiledContract> {
  const { resources, graphql, rest } = await contractOf(fixture);
  const fields = Object.entries(graphql!.descriptor.fields).flatMap(([coordinate, field]) => {
    const [type = '', name = ''] = coordinate.split('.');
    const above = graphql!.descriptor.types[type];
    return above && (field.kind === 'reference' || field.kind === 'connection')
      ? [{ above, name, below: field.resource }]
      : [];
  });
  const namesOf = (key: string, isSnake: boolean): readonly string[] =>
    fields.filter(({ above }) => above === key).map(({ name }) => (isSnake ? snakeCase(name) : name));
  const offeredBy = ({ key, nameCase }: ResourceDescriptor): readonly string[] => {
    const isSnake = nameCase === 'snake_case';
    return fields
      .filter(({ above }) => above === key)
      .flatMap(({ name, below }) => {
        const own = isSnake ? snakeCase(name) : name;
        return [own, ...namesOf(below, isSnake).map((inner) => `${own}.${inner}`)];
      });
  };
  const offered = new Map(
    resources.flatMap((resource) =>
      operationsOf(resource)
        .filter(({ action }) => action === 'get' || action === 'list')
        .map(({ operationId }) => {
          return [operationId, new Set(offeredBy(resource))] as const;
        }),
    ),
  );
  const files = await textsIn(join(import.meta.dirname, '../fixtures', fixture));
  const write = (): Record<string, string> => {
    const document = parse(files['openapi.yaml']!);
    document.info['x-mcp'] = OFFER;
    for (const { operationId, method, path } of rest.operations) {
      const own = [...(offered.get(operationId) ?? [])];
      if (own.length === 0) continue;
      const operation = document.paths[path][method];
      const schema = { type: 'array', items: { type: 'string', enum: own } };
      const parameter = { name: 'include', in: 'query', explode: false, schema };
      operation.parameters = [...(operation.parameters ?? []), parameter];
    }
    return { ...files, 'openapi.yaml': stringify(document) };
  };
  // Some names cannot be offered by some operations, as those of rows that need credentials.
  for (;;) {
    const { model, findings } = await withFolder(write(), modelContract);
    if (model) return model;
    const refused = findings.flatMap(({ rule, message }) => {
      const [, id = '', name = ''] = /^`include` of `(\w+)` names `([\w.]+)`/.exec(message) ?? [];
      return rule === 'include' ? [{ id, name }] : [];
    });
    if (refused.length === 0 || refused.length < findings.filter(({ severity }) => severity === 'error').length)
      throw new Error(findings.map(({ message }) => message).join('\n'));
    for (const { id, name } of refused)
      for (const one of offered.get(id) ?? [])
        if (one === name || one.split('.').includes(name)) offered.get(id)!.delete(one);
  }
}
