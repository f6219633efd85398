import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { readContract } from '../../../src/compiler/read/read-contract.ts';
import { serve, type TestService } from '../../../src/proving/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';

const operation = (name: string, schema: string): string => `
  /${name}:
    post:
      operationId: ${name}
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } }`;

const ref = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;
const child = (parent: string, properties: string): string =>
  `{ allOf: [${ref(parent)}, { type: object, required: [${properties.split(':')[0]}], properties: { ${properties} } }] }`;

const DOCUMENT = `openapi: 3.0.3
info: { title: Devices, version: '1' }
paths:${operation('device', ref('Device'))}${operation('camera', ref('Camera'))}${operation('vehicle', ref('Vehicle'))}
${operation('shelf', `{ type: array, items: ${ref('Device')} }`).slice(1)}
${operation('either', `{ oneOf: [${ref('Camera')}, ${ref('Device')}] }`).slice(1)}${operation('node', ref('Node'))}
components:
  schemas:
    Dome: ${child('Camera', 'angle: { type: integer }')}
    Camera: ${child('Device', 'pixels: { type: integer, minimum: 10 }')}
    Lock: ${child('Device', `keys: { type: integer }, next: { nullable: true, allOf: [${ref('Device')}] }`)}
    Device:
      type: object
      description: A device.
      required: [type]
      properties: { type: { type: string }, name: { type: string } }
      discriminator: { propertyName: type, mapping: { cam: '#/components/schemas/Camera', dome: Dome, plain: Device } }
    Vehicle:
      type: object
      required: [kind]
      properties: { kind: { type: string, enum: [Car, Bike, Sled] } }
      discriminator: { propertyName: kind }
    Car: ${child('Vehicle', 'doors: { type: integer }')}
    Bike: ${child('Vehicle', 'gears: { type: integer }')}
    Node:
      type: object
      required: [kind]
      properties: { kind: { type: string }, label: { type: string } }
      discriminator: { propertyName: kind, mapping: { leaf: Leaf, branch: Branch } }
      oneOf: [${ref('Leaf')}, ${ref('Branch')}]
    Leaf: ${child('Node', 'value: { type: integer }')}
    Branch: ${child('Node', `nodes: { type: array, items: ${ref('Node')} }`)}
`;

let service: TestService;

beforeAll(async () => {
  const { model } = await withFolder({ 'openapi.yaml': DOCUMENT }, modelContract);
  const echo = ({ body }: { readonly body: unknown }) => ({
    status: 200,
    body: Array.isArray(body) ? body : { ...(body as object), secret: 1 },
  });
  const names = ['device', 'camera', 'vehicle', 'shelf', 'either', 'node'];
  const handlers = { routes: Object.fromEntries(names.map((name) => [name, echo])) } as never;
  service = await serve({ contract: model!, handlers });
});
afterAll(() => service.close());

describe('a parent with a discriminator, where a value is meant', () => {
  test.each([
    ['device', { type: 'cam', pixels: 12, name: 'Door' }],
    ['device', { type: 'dome', pixels: 12, angle: 4 }],
    ['device', { type: 'Lock', keys: 2, next: { type: 'cam', pixels: 12 } }],
    ['device', { type: 'Lock', keys: 2, next: null }],
    ['device', { type: 'plain', name: 'Plain' }],
    ['device', { type: 'siren', name: 'names no child' }],
    ['shelf', [{ type: 'cam', pixels: 12 }, { type: 'siren' }]],
    ['vehicle', { kind: 'Car', doors: 3 }],
    ['vehicle', { kind: 'Sled' }],
    ['camera', { type: 'anything', pixels: 12 }],
    ['either', { type: 'cam', pixels: 12 }],
    ['node', { kind: 'branch', label: 'b', nodes: [{ kind: 'leaf', value: 1 }] }],
  ])('takes and answers %s %j', async (path, body) => {
    const answer = await service.anonymous.request('POST', `/${path}`, { body });
    expect([answer.status, answer.body]).toEqual([200, body]);
  });

  test.each([
    ['device', { type: 'cam', pixels: 1 }, '/pixels'],
    ['device', { type: 'cam' }, '/pixels'],
    ['device', { type: 'dome', pixels: 12 }, '/angle'],
    ['device', { type: 'plain', pixels: 12 }, '/pixels'],
    ['device', { type: 'siren', pixels: 12 }, '/pixels'],
    ['device', { name: 'of no type' }, '/type'],
    ['shelf', [{ type: 'cam', pixels: 1 }], '/0/pixels'],
    ['vehicle', { kind: 'Car' }, '/doors'],
    ['vehicle', { kind: 'Boat' }, '/kind'],
    ['node', { kind: 'leaf', nodes: [] }, '/value'],
  ])('refuses %s %j at %s', async (path, body, pointer) => {
    const answer = await service.anonymous.request('POST', `/${path}`, { body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ pointer })]) });
  });

  test('is a union that reads the same when the completed document is read again', async () => {
    const read = (files: Readonly<Record<string, string>>) => withFolder(files, readContract);
    const { document } = await read({ 'openapi.yaml': DOCUMENT });
    const again = await read({ 'openapi.json': JSON.stringify(document) });
    expect(again.document).toEqual(document);
    expect(document.components!.schemas!['Vehicle']).toEqual({
      oneOf: ['Car', 'Bike', 'VehicleBase'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
      discriminator: {
        propertyName: 'kind',
        mapping: Object.fromEntries(
          [
            ['Car', 'Car'],
            ['Bike', 'Bike'],
            ['Sled', 'VehicleBase'],
          ].map(([value, name]) => [value, `#/components/schemas/${name}`]),
        ),
      },
    });
  });
});
