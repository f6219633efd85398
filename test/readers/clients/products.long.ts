import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mockHandlers } from '../../../src/authoring/mock/mock-handlers.ts';
import { type Compiled, compileContract } from '../../../src/compiler/compile-contract.ts';
import { sampleRequests } from '../../../src/compiler/emit/sample-requests.ts';
import { nodesBelow } from '../../../src/compiler/read/grammar.ts';
import { basePathOf } from '../../../src/descriptor/base-path.ts';
import { serve, type TestService } from '../../../src/proving/testing/serve.ts';
import { writeText } from '../../../src/readers/clients/common/layer.ts';
import { LANGUAGES, type Language } from '../../../src/readers/clients/languages.ts';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';
import { oneIn } from '../../support/thorough.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { libraryFrom, typeErrorsIn } from '../../support/type-check.ts';
import { runProgram } from './programs.ts';

/** Of a document in the shape of a product: what clients read of the example of an answer, by one call in each language. */
interface Product {
  readonly name: string;
  readonly reads: string;
  readonly sdk: string;
  readonly python: string;
  /** The call, and what is read of `res`. */
  readonly go: readonly [call: string, read: string];
  readonly java: string;
  /** Operations that Go cannot express. */
  readonly leftOut?: readonly string[];
}

const PRODUCTS: readonly Product[] = [
  {
    name: 'payments',
    reads: '4242',
    sdk: `((one) => one?.object === 'card' && one.last4)((await c.GetChargesCharge({ path: { charge: 'ch_1' } })).source)`,
    python: 'c.get_charges_charge("ch_1").source.last4',
    go: [
      'GetChargesChargeWithFormdataBodyWithResponse(ctx, "ch_1", nil, api.GetChargesChargeFormdataRequestBody{})',
      'func() any { source, _ := res.JSON200.Source.Get(); card, _ := source.AsCard(); return *card.Last4 }()',
    ],
    java: 'c.getChargesCharge("ch_1").getSource().getCard().getLast4()',
  },
  {
    name: 'hosting',
    reads: 'ada/engine',
    sdk: `(await c.reposGet({ path: { owner: 'ada', repo: 'engine' } })).full_name`,
    python: 'c.reposget("ada", "engine").full_name',
    go: ['ReposGetWithResponse(ctx, "ada", "engine")', 'res.JSON200.FullName'],
    java: 'c.reposGet("ada", "engine").getFullName()',
  },
  {
    name: 'chat',
    reads: 'hello',
    sdk: `(await c.listMessages({ path: { channel_id: '1' } }))?.[0]?.content`,
    python: 'c.list_messages("1")[0].content',
    go: ['ListMessagesWithResponse(ctx, "1", nil)', '(*res.JSON200)[0].Content'],
    java: 'c.listMessages("1").get(0).getContent()',
  },
  {
    name: 'calendar',
    reads: 'RRULE:FREQ=WEEKLY;BYDAY=MO',
    sdk: `(await c.calendarEventsList({ path: { calendarId: 'a' } })).items?.[0]?.recurrence?.[0]`,
    python: 'c.calendar_events_list("a").items[0].recurrence[0]',
    go: ['CalendarEventsListWithResponse(ctx, "a", nil)', 'res.JSON200.Items[0].Recurrence[0]'],
    java: 'c.calendarEventsList("a").getItems().get(0).getRecurrence().get(0)',
  },
  {
    name: 'maps',
    reads: 'Well',
    sdk: `((one) => typeof one !== 'string' && one.features[0]?.properties?.name)(await c.getFeatures({}))`,
    python: 'c.get_features().features[0].properties["name"]',
    go: ['GetFeaturesWithResponse(ctx, nil)', 'res.ApplicationGeoJSON200.Features[0].Properties.MustGet()["name"]'],
    java: 'c.getFeatures().getFeatures().get(0).getProperties().get("name")',
  },
  {
    name: 'shipping',
    reads: '3',
    sdk: `((one) => 'stamps' in one && one.stamps)(await c.getParcel({ path: { id: '01942075-d220-7e39-b67b-6cff93a6d0ca' } }))`,
    python: 'c.get_parcel(__import__("uuid").UUID("01942075-d220-7e39-b67b-6cff93a6d0ca")).stamps',
    go: [
      'GetParcelWithResponse(ctx, uuid.MustParse("01942075-d220-7e39-b67b-6cff93a6d0ca"))',
      'func() any { letter, _ := res.JSON200.AsLetter(); return *letter.Stamps }()',
    ],
    java: 'c.getParcel(java.util.UUID.fromString("01942075-d220-7e39-b67b-6cff93a6d0ca")).getLetter().getStamps()',
  },
  {
    name: 'files',
    reads: 'a.txt',
    sdk: '(await c.listFiles({})).entries[0]?.name',
    python: 'c.list_files().entries[0].name',
    go: ['ListFilesWithResponse(ctx)', 'res.JSON200.Entries[0].Name'],
    java: 'c.listFiles().getEntries().get(0).getName()',
  },
  {
    name: 'springdoc',
    reads: 'Rex',
    sdk: '(await c.findAll({ query: { pageable: {} } })).content?.[0]?.name',
    python: 'c.find_all().content[0].name',
    go: ['FindAllWithResponse(ctx, &api.FindAllParams{})', 'res.JSON200.Content[0].Name'],
    java: 'c.findAll().getContent().get(0).getName()',
  },
  {
    name: 'fastapi',
    reads: 'Foo',
    sdk: '(await c.readItemItemsItemIdGet({ path: { item_id: 1 } })).name',
    python: 'c.read_item_items_item_id_get(1).name',
    go: ['ReadItemItemsItemIDGetWithResponse(ctx, 1, nil)', 'res.JSON200.Name'],
    java: 'c.readItemItemsItemIdGet(1L).getName()',
  },
  {
    name: 'dotnet',
    reads: 'order',
    sdk: `((one) => typeof one !== 'string' && one.$type)(await c.OrdersGet({ path: { key: 7 } }, { headers: { Accept: 'application/json' } }))`,
    python: 'c.orders_get(7).dollar_type',
    go: ['OrdersGetWithResponse(ctx, 7, nil)', 'res.JSON200.DollarType.MustGet()'],
    java: 'c.ordersGet(7).getDollarType()',
  },
  {
    name: 'gateway',
    reads: 'type.example.com/v1.Detail',
    sdk: `(await c.ThingServiceListThings({})).things?.[0]?.detail?.['@type']`,
    python: 'c.thing_service_list_things().things[0].detail.type_',
    go: ['ThingServiceListThingsWithResponse(ctx, nil)', '*res.JSON200.Things[0].Detail.Type'],
    java: 'c.thingServiceListThings().getThings().get(0).getDetail().getAtType()',
  },
  {
    name: 'linked',
    reads: 'Hi',
    sdk: '(await c.getArticles({})).data[0]?.attributes?.title',
    python: 'c.get_articles().data[0].attributes.title',
    go: ['GetArticlesWithResponse(ctx, nil)', '*res.ApplicationVndAPIJSON200.Data[0].Attributes.Title'],
    java: 'c.getArticles().getData().get(0).getAttributes().getTitle()',
  },
  {
    name: 'reports',
    reads: 'done',
    sdk: `(await c.status({})).state`,
    python: 'c.status().state',
    go: ['StatusWithResponse(ctx)', 'res.JSON200.State'],
    java: 'c.status().getState()',
  },
  {
    name: 'words',
    reads: 'c',
    sdk: '(await c.importOperation({})).class',
    python: 'c.import_().class_',
    // The operation that Go has, and what it would read of the others.
    go: ['GetThing42B5WithResponse(ctx)', 'map[bool]string{true: "c"}[res.JSON200 != nil]'],
    java: 'c.importOperation().getPropertyClass()',
    leftOut: ['import', 'getThing', 'get_thing'],
  },
];

const contractsOf = (name: string): string => join('test/readers/clients/products', name);
const root = join(import.meta.dirname, '..', '..', '..');

/** The mock, which answers with an example of the document now and then, asked again until it does. */
async function answeringExamples(origin: string, document: object): Promise<Server> {
  const examples = [...nodesBelow(document as never, 'document')].flatMap(({ node, kind }) =>
    kind === 'example' ? [node['value']] : 'example' in node ? [node['example']] : [],
  );
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = new Headers(Object.entries(request.headers) as [string, string][]);
    for (const name of ['connection', 'content-length', 'host', 'transfer-encoding', 'upgrade', 'http2-settings'])
      headers.delete(name);
    for (let i = 0; i < 60; i += 1) {
      const answer = await fetch(origin + request.url, {
        method: request.method!,
        headers,
        ...(body !== '' && { body }),
      });
      const answered = await answer.text();
      const type = answer.headers.get('content-type') ?? '';
      const isExample = type.includes('json') && examples.some((one) => isDeepStrictEqual(one, JSON.parse(answered)));
      if (i < 59 && answer.ok && !isExample) continue;
      response.writeHead(answer.status, { 'content-type': type }).end(answered);
      return;
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe.each(oneIn(7, PRODUCTS))('a document in the shape of $name', (product) => {
  const { name, reads, leftOut = [] } = product;
  let compiled: Compiled;
  let service: TestService;
  let examples: Server;
  let url: string;
  let output: string;

  beforeAll(async () => {
    compiled = await compileContract(contractsOf(name), libraryFrom(0));
    const contract = compiled.model!;
    service = await serve({ contract, handlers: mockHandlers(contract, 1) as never });
    examples = await answeringExamples(await service.listen(), contract.document);
    url = `http://127.0.0.1:${(examples.address() as AddressInfo).port}${basePathOf(contract.document)}`;
    output = await mkdtemp(join(root, 'test', '.types-'));
    for (const [path, text] of compiled.files!) await writeText(join(output, path), text);
    await writeText(
      join(output, 'call.ts'),
      `import { createClient } from './sdk/bound.js';
const c = createClient({ baseUrl: '${url}' });
export const read = async (): Promise<string> => String(${product.sdk});\n`,
    );
  });
  afterAll(async () => {
    examples.close();
    await service.close();
    await rm(output, { recursive: true });
  });

  test('compiles, and its output has types', async () => {
    expect(compiled.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const paths = ['call.ts', ...[...compiled.files!.keys()].filter((path) => path.endsWith('.ts'))];
    const errors = await typeErrorsIn(output, paths, { skipLibCheck: false });
    expect([...errors].filter(([, lines]) => lines.length > 0)).toEqual([]);
  });

  test('is answered by the mock as it declares', async () => {
    for (const { method, path, inPath, inQuery, body } of sampleRequests(compiled.model!)) {
      const filled = inPath.reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(one.value)), path);
      const query = inQuery
        .filter(({ isRequired }) => isRequired)
        .map((one) => `${one.name}=${encodeURIComponent(one.value)}`)
        .join('&');
      const sent = body && { body: body.text, headers: { 'content-type': body.type } };
      const answer = await service.anonymous.request(method, `${filled}?${query}`, sent);
      expect([answer.status < 400, answer.headers['mock-fault']], `${method} ${filled} ${answer.text}`).toEqual([
        true,
        undefined,
      ]);
    }
  });

  test('is called from TypeScript', async () => {
    const { read } = await import(join(output, 'call.ts'));
    expect(await read()).toBe(reads);
  });

  test.each(LANGUAGES.filter(hasToolchain))('is called from %s', (language) =>
    withFolder({}, async (out) => {
      const args = ['--contracts', contractsOf(name), '--language', language, '--out', out];
      const { code, stderr } = await runHere('scripts/clients.ts', args);
      expect(code, stderr).toBe(0);
      const missing = [...stderr.matchAll(/^\w+: (.*?) \(.* is left out/gm)].map(([, id]) => id);
      expect(missing, stderr).toEqual(language === 'go' ? leftOut : []);
      const folder = join(out, language);
      const { call, ...expressions } = { ...product, call: product.go[0] };
      const read = { ...expressions, go: product.go[1] }[language];
      const printed: Readonly<Record<Language, string>> = {
        python: `print(${read})`,
        go: `res, err := c.${call}\nif err != nil { panic(err) }\nfmt.Println(${read})`,
        java: `System.out.println(${read});`,
      };
      expect(await runProgram(language, folder, printed[language], url)).toBe(reads);
    }),
  );
});
