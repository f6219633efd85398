import { expect, it } from 'vitest';
import { mockHandlers } from '../../../src/authoring/mock/mock-handlers.ts';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { serve } from '../../../src/proving/testing/serve.ts';
import { createSchemaRegistry } from '../../../src/runtime/schema/create-schema-registry.ts';
import { withFolder } from '../../support/folder.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';

const DEVICE = `{ $ref: '#/components/schemas/Device' }`;
const DEVICES = `{ type: array, minItems: 8, items: ${DEVICE} }`;
const operation = (schema: string): string =>
  `requestBody: { required: true, content: { application/json: { schema: ${schema} } } }, responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } }`;
const child = (properties: string): string =>
  `{ allOf: [${DEVICE}, { type: object, required: [${properties.split(':')[0]}], properties: { ${properties} } }] }`;

/** Children that a mapping names, one by its own name, and one that no value names. */
const DOCUMENT = `openapi: 3.0.3
info: { title: Devices, version: '1' }
paths:
  /device: { post: { operationId: device, ${operation(DEVICE)} } }
  /devices: { post: { operationId: devices, ${operation(DEVICES)} } }
components:
  schemas:
    Device:
      type: object
      required: [type]
      properties: { type: { type: string }, name: { type: string } }
      discriminator: { propertyName: type, mapping: { cam: '#/components/schemas/Camera', plain: Device } }
    Camera: ${child('pixels: { type: integer, minimum: 10 }')}
    Lock: ${child('keys: { type: integer }')}
`;

const CALLER = `import * as api from './sdk/index.js';

export async function use(client: api.Client) {
  const device = await api.device(client, { body: { type: 'cam', pixels: 12, name: 'Door' } });
  if (device.type === 'cam') device.pixels.toFixed();
  if (device.type === 'Lock') device.keys.toFixed();
  await api.devices(client, { body: [{ type: 'Lock', keys: 1 }, { type: 'plain' }] });
  // @ts-expect-error a camera has pixels
  await api.device(client, { body: { type: 'cam' } });
  // @ts-expect-error of another child
  await api.device(client, { body: { type: 'Lock', pixels: 12 } });
  // @ts-expect-error of a child alone
  device.pixels;
}
`;

const HANDLERS = `import type { Handlers } from './handlers.ts';

export const operations = {
  device: ({ input }) => (input.type === 'cam' ? { ...input, pixels: input.pixels + 1 } : input),
  devices: () => [{ type: 'cam', pixels: 12 }, { type: 'plain', name: 'Plain' }],
} satisfies Handlers['operations'];
`;

it('a parent is a union of itself and its children, in the client, in handlers and in the mock', async () => {
  const compiled = await withFolder({ 'openapi.yaml': DOCUMENT }, (folder) => compileContract(folder, libraryFrom(1)));
  const files = { ...Object.fromEntries(compiled.files!), 'own.ts': HANDLERS, 'caller.ts': CALLER };
  const errors = await typeErrors(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`generated/${path}`, text])),
  );
  expect([...errors].filter(([, found]) => found.length > 0)).toEqual([]);

  const contract = compiled.model!;
  const validate = createSchemaRegistry(contract.document).output({ $ref: '#/components/schemas/Device' });
  const types = new Set<string>();
  for (const seed of [1, 2, 3]) {
    await using mock = await serve({ contract, handlers: mockHandlers(contract, seed) as never });
    const { status, headers, body } = await mock.anonymous.post('/devices', Array(8).fill({ type: 'plain' }));
    expect({ status, fault: headers['mock-fault'] }).toEqual({ status: 200, fault: undefined });
    for (const device of body as { type: string }[]) {
      expect([device, validate(device)]).toEqual([device, undefined]);
      types.add(device.type);
    }
  }
  expect([...types]).toEqual(expect.arrayContaining(['cam', 'Lock']));
});
