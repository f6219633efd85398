import { expect, test } from 'vitest';
import { goName, goNames } from '../../../src/readers/clients/go/go-names.ts';

// What the generator has made of each.
test.each([
  ['listProducts', 'ListProducts'],
  ['userId', 'UserID'],
  ['imageUrl', 'ImageURL'],
  ['getHttpPet', 'GetHTTPPet'],
  ['OneOf2things', 'OneOf2Things'],
  ['shops_list', 'ShopsList'],
  ['line-items', 'LineItems'],
  ['ids', 'Ids'],
  ['3d-rooms', '3DRooms'],
  ['größe', 'Größe'],
])('the name of %s is %s', (text, name) => expect(goName(text)).toBe(name));

test.each([
  ['example.com/acme/shop', '1.4.0', 'example.com/acme/shop'],
  ['example.com/acme/shop', '3.0.0', 'example.com/acme/shop/v3'],
  ['example.com/acme/shop/v3', '3.1.0', 'example.com/acme/shop/v3'],
  ['example.com/acme/shop/v2', '3.0.0', 'example.com/acme/shop/v3'],
])('the module %s of version %s is %s', (packageName, version, module) =>
  expect(goNames({ name: '', packageName, version })).toEqual({ module, package: 'shop' }),
);
