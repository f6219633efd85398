import { expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { formatFindings } from '../../../src/compiler/findings/report.ts';
import { serve } from '../../../src/proving/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';

const ref = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;
const answering = (name: string): string =>
  `responses: { '200': { description: ok, content: { application/json: { schema: ${ref(name)} } } } }`;

const OPENAPI = `openapi: 3.1.0
info: { title: Reports, version: '1' }
security: []
paths:
  /report: { get: { operationId: getReport, ${answering('Report')} } }
  /renewals: { post: { operationId: renew, ${answering('Report')} } }
components:
  schemas:
    Report:
      type: object
      additionalProperties: false
      required: [title, parts, first, facts]
      properties:
        title: { type: string }
        parts: { type: array, items: ${ref('Part')} }
        first: ${ref('Part')}
        facts: { type: object }
    Part: { type: object, additionalProperties: false, required: [name], properties: { name: { type: string }, of: { type: array, items: ${ref('Part')} } } }
`;

const SDL = `scalar JSON
type Part { name: String! of: [Part!] }
type Report { title: String! parts: [Part!]! first: Part! facts: JSON! }
type Query { report: Report! @operation(id: "getReport") }
type Mutation { renew: Report! @operation(id: "renew") }
`;

const part = { name: 'A', secret: 1, of: [{ name: 'B', secret: 2 }] };
const given = { title: 'All', secret: 3, parts: [part], first: part, facts: { pages: 4, any: { thing: 5 } } };
const shown = { name: 'A', of: [{ name: 'B' }] };
const sent = { title: 'All', parts: [shown], first: shown, facts: given.facts };

test('what code answers beyond its schema is left out at every depth, and kept where the schema is open, over each protocol', async () => {
  const { model, findings } = await withFolder({ 'openapi.yaml': OPENAPI, 'reports.graphql': SDL }, modelContract);
  if (!model) throw new Error(formatFindings(findings));
  const operations = { getReport: () => given, renew: () => given };
  await using service = await serve({ contract: model, handlers: { operations } as never });
  const { anonymous } = service;
  const selection = '{ title parts { name of { name } } first { name of { name } } facts }';
  for (const [rest, field, document] of [
    [await anonymous.get('/report'), 'report', `{ report ${selection} }`],
    [await anonymous.post('/renewals'), 'renew', `mutation { renew ${selection} }`],
  ] as const) {
    expect([rest.status, rest.body]).toEqual([200, sent]);
    const { data, errors } = await anonymous.graphql(document);
    expect({ data, errors }).toEqual({ data: { [field]: sent }, errors: undefined });
  }
});
