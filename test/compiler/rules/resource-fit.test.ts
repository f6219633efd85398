import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/compiler/build-model.ts';
import { parseContract } from '../../support/single-file-contract.ts';

const json = (schema: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${schema}' } } }`;

/** What an emitter writes of a service for widgets: close to a resource, in other words. */
const service = (widget: {
  readonly id: string;
  readonly more?: string;
  readonly info?: string;
}): string => `openapi: 3.1.0
info: { title: Widgets, version: '1'${widget.info ?? ''} }
paths:
  /widgets:
    get:
      operationId: Ops_list
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }
        - { name: cursor, in: query, schema: { type: string } }
      responses: { '200': { description: ok, ${json('WidgetList')} } }
    post:
      operationId: Ops_create
      requestBody: { required: true, ${json('WidgetCreate')} }
      responses: { '201': { description: ok, ${json('Widget')} } }
  /widgets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string${widget.id} } }]
    get: { operationId: Ops_read, responses: { '200': { description: ok, ${json('Widget')} } } }
    patch:
      operationId: Ops_update
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { $ref: '#/components/schemas/WidgetMergePatchUpdate' } } } }
      responses: { '200': { description: ok, ${json('Widget')} } }
components:
  schemas:
    Color: { type: string, enum: [red, light blue] }
    Widget:
      type: object
      required: [id, version, createdAt, updatedAt, display_name]
      properties:
        id: { type: string${widget.id} }
        version: { type: integer }
        createdAt: { type: string${widget.id && ', format: date-time'} }
        updatedAt: { type: string${widget.id && ', format: date-time'} }
        display_name: { type: string }
        color: { $ref: '#/components/schemas/Color' }
${widget.more ?? ''}    WidgetCreate:
      type: object
      required: [display_name]
      properties: { display_name: { type: string }, color: { $ref: '#/components/schemas/Color' } }
    WidgetMergePatchUpdate:
      type: object
      properties: { display_name: { type: string }, color: { $ref: '#/components/schemas/Color' } }
    WidgetList:
      type: object
      required: [data, page]
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/Widget' } }
        page: { type: object, required: [nextCursor], properties: { nextCursor: { type: [string, 'null'] } } }
`;

const UUID = ', format: uuid';

describe('a resource in the words of another tool', () => {
  it('is one, whatever the case of its names and the names of its schemas', () => {
    const { model, findings } = buildModel(parseContract(service({ id: UUID })));
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const [widgets] = model!.resources;
    expect(widgets).toMatchObject({
      key: 'widgets',
      schemas: { resource: 'Widget', input: 'WidgetCreate', patch: 'WidgetMergePatchUpdate' },
      actions: { list: { operationId: 'Ops_list' }, update: { operationId: 'Ops_update' } },
    });
    expect(widgets!.properties.find(({ name }) => name === 'color')!.enum).toEqual(['red', 'light blue']);
    expect(widgets!.properties.find(({ name }) => name === 'display_name')!.column).toBe('display_name');
  });

  it('is judged by its style where it asks for that', () => {
    const { findings } = buildModel(parseContract(service({ id: UUID, info: ', x-naming: strict' })));
    expect(new Set(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule))).toEqual(
      new Set(['enum-case', 'operation-id-case', 'property-case']),
    );
  });

  it('that almost fits is told in one summary what is in the way', () => {
    const { model, findings } = buildModel(parseContract(service({ id: '' })));
    expect(model).toBeUndefined();
    const errors = findings.filter(({ severity }) => severity === 'error');
    const summaries = findings.filter(({ rule }) => rule === 'resource-fit');
    expect(summaries).toHaveLength(1);
    const [{ message, hint, location }] = summaries as [(typeof summaries)[0]];
    expect(message).toBe(`\`Widget\` at \`/widgets\` is almost a resource: ${errors.length} errors are in the way.`);
    for (const error of errors) expect(hint).toContain(`openapi.yaml:${error.location.line}: ${error.hint}`);
    expect(hint).toContain('write `x-resource: false` on `Widget`');
    expect(location).toMatchObject({ file: 'openapi.yaml', pointer: '/components/schemas/Widget' });
  });

  describe('whose lists are of another shape', () => {
    const foreign = (more = '') =>
      service({ id: '', more }).replace(
        /WidgetList:\n[\s\S]*$/,
        "WidgetList: { type: object, required: [items], properties: { items: { type: array, items: { $ref: '#/components/schemas/Widget' } } } }\n",
      );

    it('is served as it is, and told in one summary what would make it a resource', () => {
      const { model, findings } = buildModel(parseContract(foreign()));
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(model!.resources).toEqual([]);
      expect(model!.operations).toHaveLength(4);
      const [summary, ...others] = findings.filter(({ rule }) => rule === 'resource-fit');
      expect(others).toEqual([]);
      expect(summary?.severity).toBe('warning');
      expect(summary?.message).toBe(
        '`Widget` at `/widgets` could be a resource; it is served as it is, by handlers of yours.',
      );
      expect(summary?.hint).toContain("Write `data: { type: array, items: { $ref: '#/components/schemas/Widget' } }`");
    });

    it('is not told so when it says that it is none', () => {
      const { findings } = buildModel(parseContract(foreign('      x-resource: false\n')));
      expect(findings.filter(({ rule }) => rule === 'resource-fit')).toEqual([]);
    });

    it('is an error of whoever uses the extensions', () => {
      const { model } = buildModel(parseContract(foreign("      x-unique: [['display_name', 'color']]\n")));
      expect(model).toBeUndefined();
    });
  });

  it('is served as it is with `x-resource: false`', () => {
    const more = '      x-resource: false\n';
    const { model, findings } = buildModel(parseContract(service({ id: '', more })));
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(model!.resources).toEqual([]);
    expect(model!.operations).toHaveLength(4);
  });

  it('is a summary to nobody who has written it by the conventions', () => {
    const more = "      x-unique: [['display_name', 'color']]\n";
    const { findings } = buildModel(parseContract(service({ id: '', more })));
    expect(findings.filter(({ rule }) => rule === 'resource-fit')).toEqual([]);
  });
});
