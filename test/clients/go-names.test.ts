import { expect, test } from 'vitest';
import { goName } from '../../src/clients/go/go-names.ts';

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
