import { beforeAll, describe, expect, it } from 'vitest';
import { compileContract } from '../../src/compiler/compile-contract.ts';
import { withFolder } from '../support/folder.ts';
import { libraryFrom, typeErrors } from '../support/type-check.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: Uploads, version: '1' }
paths:
  /photos:
    post:
      operationId: addPhoto
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Link' } }
          multipart/form-data: { schema: { type: object } }
          image/png: {}
      responses: { '204': { description: Added. } }
components: { schemas: { Link: { type: object, required: [url], properties: { url: { type: string } } } } }
`;

const moduleOf = (statement: string): string => `import type { Handlers } from './generated/handlers.ts';
export const addPhoto: Handlers['routes']['addPhoto'] = async (request) => {
  ${statement}
  return { status: 204 };
};
`;

const bad: Readonly<Record<string, readonly [string, RegExp]>> = {
  'bytes of a stream': [
    "if (request.contentType !== 'application/json' && request.contentType !== 'image/png') request.body.byteLength;",
    /'byteLength' does not exist on type 'Readable'/,
  ],
  'a multipart type without its boundary': ["request.contentType === 'multipart/form-data';", /no overlap/],
  'a stream of another type': ["if (request.contentType === 'image/png') request.body.pipe;", /'pipe' does not exist/],
};

const GOOD = `if (request.contentType === 'application/json') request.body.url.trim();
  else if (request.contentType === 'image/png') request.body.byteLength.toFixed();
  else request.body.pipe(process.stdout), request.contentType.split(';');`;

describe('the handler of an operation that takes several types', () => {
  let errors: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    const { files } = await withFolder({ 'openapi.yaml': DOCUMENT }, (folder) =>
      compileContract(folder, libraryFrom(1)),
    );
    const outputs = [...files!].map(([path, text]) => [`generated/${path}`, text]);
    const cases = Object.entries(bad).map(([, [statement]], i) => [`bad-${i}.ts`, moduleOf(statement)]);
    errors = await typeErrors(Object.fromEntries([['good.ts', moduleOf(GOOD)], ...cases, ...outputs]));
  });

  it('has each body by its type, the multipart one as a stream', () => {
    expect(errors.get('good.ts')).toEqual([]);
  });

  it.each(Object.values(bad).map(([, message], i) => [Object.keys(bad)[i]!, i, message] as const))(
    'cannot take %s',
    (_, i, message) => {
      expect(errors.get(`bad-${i}.ts`)!.join('\n')).toMatch(message);
    },
  );
});
