import { describe, expect, test } from 'vitest';
import type { ResourceTree } from '../../../src/compiler/emit/clients/resource-tree.ts';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { pythonClassName, pythonIdentifier } from '../../../src/readers/clients/python/python-identifiers.ts';
import { callsOf, pythonMembers } from '../../../src/readers/clients/python/python-resources.ts';

const tree = (
  name: string,
  operations: Readonly<Record<string, string>>,
  ...children: ResourceTree[]
): ResourceTree => ({
  name,
  resource: {
    path: `/${name}`,
    actions: Object.fromEntries(Object.entries(operations).map(([action, operationId]) => [action, { operationId }])),
  } as unknown as ResourceDescriptor,
  children,
});

describe('the members of the client for Python', () => {
  test.each([
    ['taxRate', 'tax_rate'],
    ['class', 'class_'],
    ['List', 'list_'],
    ['2fa', 'field_2fa'],
    ['_id', 'field_id'],
    ['imageURL', 'image_url'],
    ['price. gt', 'price_gt'],
    ['größe', 'größe'],
    ['a$b', 'ab'],
  ])('call %s %s', (name, own) => expect(pythonIdentifier(name)).toBe(own));

  test.each([
    ['product-input', 'ProductInput'],
    ['URL', 'URL'],
    ['HTTPError', 'HTTPError'],
    ['Warning', 'Warning_'],
    ['3d part', 'Field3DPart'],
  ])('have of the schema %s the class %s', (name, own) => expect(pythonClassName(name)).toBe(own));

  test('have names of their own where the contract has one twice, or one of the client', () => {
    const trees = [
      tree('token', { list: 'listTokens' }, tree('list', { list: 'listLists' }), tree('from', { get: 'getFrom' })),
      tree('orders', { list: 'listOrders' }),
    ];
    const ids = ['listTokens', 'listLists', 'getFrom', 'listOrders', 'orders', 'withHeaders', 'import'];
    const members = pythonMembers(trees, ids, ['OrdersResource']);
    expect(Object.fromEntries([...callsOf(members)].map(([id, { expression }]) => [id, expression]))).toEqual({
      listTokens: 'client.token_resource.list',
      listLists: 'client.token_resource.list_resource.list',
      getFrom: 'client.token_resource.from_.get',
      listOrders: 'client.orders.list',
      orders: 'client.orders_operation',
      withHeaders: 'client.with_headers_operation',
      import: 'client.import_',
    });
    expect(members.resources.map(({ className }) => className)).toEqual(['TokenResource', 'OrdersResource2']);
  });
});
