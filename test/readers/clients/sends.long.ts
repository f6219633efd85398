import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { writeText } from '../../../src/readers/clients/common/layer.ts';
import { LANGUAGES, type Language } from '../../../src/readers/clients/languages.ts';
import { oneIn } from '../../support/thorough.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { libraryFrom } from '../../support/type-check.ts';
import { runProgram } from './programs.ts';
import { makeClient } from './support.ts';

/** A call in each language, and what arrives. */
interface Sent extends Readonly<Partial<Record<Language, string>>> {
  readonly sdk: string;
  /** Method, path and query. */
  readonly request: string;
  /** Type, without its boundary; and the body: JSON, the fields of a form, the text of others. */
  readonly body?: readonly [type: string, body: unknown];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The text of a part, with the type that is no plain text. */
const FILE = ['file', 'application/octet-stream', 'é+++'];

/** By document of a product. */
const PRODUCTS: Readonly<Record<string, readonly Sent[]>> = {
  payments: [
    {
      request: 'POST /charges',
      body: [
        'application/x-www-form-urlencoded',
        [
          ['amount', '5'],
          ['description', 'a & é'],
          ['metadata[k 1]', 'v=w'],
        ],
      ],
      sdk: `c.PostCharges({ body: { amount: 5, description: 'a & é', metadata: { 'k 1': 'v=w' } } })`,
      python: `c.post_charges(PostChargesBody(amount=5, description="a & é", metadata=PostChargesBodyMetadata.from_dict({"k 1": "v=w"})))`,
      go: `description := api.PostChargesFormdataBody_Description{}
	description.FromPostChargesFormdataBodyDescription0("a & é")
	c.PostChargesWithFormdataBodyWithResponse(ctx, api.PostChargesFormdataRequestBody{Amount: 5, Description: &description, Metadata: map[string]string{"k 1": "v=w"}})`,
      java: `c.postCharges(5L, o -> o.description(new PostChargesRequestDescription("a & é")).metadata(java.util.Map.of("k 1", "v=w")))`,
    },
  ],
  files: [
    {
      request: 'PUT /content/a%2Fb%20c',
      body: ['application/octet-stream', 'é+++'],
      sdk: `c.upload({ body: new Blob(['é+++']), path: { id: 'a/b c' } })`,
      python: `c.upload("a/b c", File(payload=io.BytesIO("é+++".encode())))`,
      go: `c.UploadWithBodyWithResponse(ctx, "a/b c", "application/octet-stream", strings.NewReader("é+++"))`,
      java: `c.upload("a/b c", file("é+++"))`,
    },
    {
      request: 'POST /files',
      body: [
        'multipart/form-data',
        [
          FILE,
          ['attributes', 'application/json', { name: 'é' }],
          ['tags', 'text/plain', 'x'],
          ['tags', 'text/plain', 'é'],
          ['shared', 'text/plain', 'true'],
        ],
      ],
      sdk: `c.createFile({ body: { file: new Blob(['é+++']), attributes: { name: 'é' }, tags: ['x', 'é'], shared: true } })`,
      python: `c.create_file(CreateFileBody(file=File(payload=io.BytesIO("é+++".encode()), file_name="a.txt", mime_type="application/octet-stream"), attributes=Attributes(name="é"), tags=["x", "é"], shared=True))`,
      java: `c.createFile(file("é+++"), new Attributes().name("é"), o -> o.tags(java.util.List.of("x", "é")).shared(true))`,
    },
    {
      request: 'POST /files',
      body: ['multipart/form-data', [FILE, ['attributes', 'application/json', { name: 'a' }]]],
      sdk: `c.createFile({ body: { file: new Blob(['é+++']), attributes: { name: 'a' } } })`,
      python: `c.create_file(CreateFileBody(file=File(payload=io.BytesIO("é+++".encode()), file_name="a.txt", mime_type="application/octet-stream"), attributes=Attributes(name="a")))`,
      java: `c.createFile(file("é+++"), new Attributes().name("a"))`,
    },
  ],
  fastapi: [
    // The generator for Java sends no cookies.
    {
      request: 'GET /items/7?q=a%20%26%20b',
      headers: { 'x-token': 't' },
      sdk: `c.readItemItemsItemIdGet({ path: { item_id: 7 }, query: { q: 'a & b' }, header: { 'x-token': 't' } })`,
      java: `c.readItemItemsItemIdGet(7L, o -> o.q("a & b").xToken("t"))`,
    },
    {
      request: 'GET /items/7?q=a%20%26%20b',
      headers: { 'x-token': 't', cookie: 'ads_id=z' },
      sdk: `c.readItemItemsItemIdGet({ path: { item_id: 7 }, query: { q: 'a & b' }, header: { 'x-token': 't' }, cookie: { ads_id: 'z' } })`,
      python: `c.read_item_items_item_id_get(7, q="a & b", x_token="t", ads_id="z")`,
      go: `c.ReadItemItemsItemIDGetWithResponse(ctx, 7, &api.ReadItemItemsItemIDGetParams{Q: to("a & b"), XToken: to("t"), AdsID: to("z")})`,
    },
    {
      request: 'POST /items/',
      body: ['application/json', { name: 'é', price: 1.5, tags: ['a', 'b'] }],
      sdk: `c.createItemItemsPost({ body: { name: 'é', price: 1.5, tags: ['a', 'b'] } })`,
      python: `c.create_item_items_post(ItemInput(name="é", price=1.5, tags=["a", "b"], tax=UNSET))`,
      go: `c.CreateItemItemsPostWithResponse(ctx, api.ItemInput{Name: "é", Price: 1.5, Tags: []string{"a", "b"}})`,
      java: `c.createItemItemsPost(new ItemInput().name("é").price(1.5d).addTagsItem("a").addTagsItem("b"))`,
    },
    {
      request: 'POST /token',
      body: [
        'application/x-www-form-urlencoded',
        [
          ['password', 'c&d'],
          ['username', 'a+b'],
        ],
      ],
      sdk: `c.loginTokenPost({ body: { username: 'a+b', password: 'c&d' } })`,
      python: `c.login_token_post(BodyLoginTokenPost(username="a+b", password="c&d", scope=UNSET))`,
      go: `c.LoginTokenPostWithFormdataBodyWithResponse(ctx, api.LoginTokenPostFormdataRequestBody{Username: "a+b", Password: "c&d"})`,
      java: `c.loginTokenPost("a+b", "c&d")`,
    },
  ],
  chat: [
    {
      request: 'POST /channels/1/messages',
      body: [
        'application/json',
        { content: 'hi', nonce: 'n', components: [{ type: 1, components: [{ type: 3, options: ['x'] }] }] },
      ],
      sdk: `c.createMessage({ body: { content: 'hi', nonce: 'n', components: [{ type: 1, components: [{ type: 3, options: ['x'] }] }] }, path: { channel_id: '1' } })`,
      python: `c.create_message("1", MessageCreateRequest(content="hi", nonce="n", components=[Row(type_=1, components=[Select(type_=3, options=["x"])])]))`,
    },
    {
      request: 'PUT /channels/1/messages/2/reactions/%F0%9F%98%80/@me',
      sdk: `c.addMyMessageReaction({ path: { channel_id: '1', message_id: '2', emoji: '😀' } })`,
      python: `c.add_my_message_reaction("1", "2", "😀")`,
      go: `c.AddMyMessageReactionWithResponse(ctx, "1", "2", "😀")`,
      java: `c.addMyMessageReaction("1", "2", "😀")`,
    },
  ],
  hosting: [
    {
      request: 'POST /repos/a/b/issues/3/reactions',
      body: ['application/json', { content: '+1' }],
      sdk: `c.reactionsCreateForIssue({ body: { content: '+1' }, path: { owner: 'a', repo: 'b', issue_number: 3 } })`,
      python: `c.reactionscreate_for_issue("a", "b", 3, ReactionscreateForIssueBody.from_dict({"content": "+1"}))`,
      java: `c.reactionsCreateForIssue("a", "b", 3L, new ReactionsCreateForIssueRequest().content(ReactionsCreateForIssueRequest.ContentEnum.fromValue("+1")))`,
    },
  ],
  linked: [
    {
      request: 'POST /articles',
      body: ['application/vnd.api+json', { data: { type: 'articles', attributes: { title: 'é' } } }],
      sdk: `c.postArticles({ body: { data: { type: 'articles', attributes: { title: 'é' } } } })`,
      python: `c.post_articles(PostArticlesBody.from_dict({"data": {"type": "articles", "attributes": {"title": "é"}}}))`,
    },
  ],
  maps: [
    {
      request: 'GET /features?bbox=1,2,3.5,4&f=json',
      sdk: `c.getFeatures({ query: { bbox: [1, 2, 3.5, 4], f: 'json' } })`,
      go: `c.GetFeaturesWithResponse(ctx, &api.GetFeaturesParams{Bbox: []float64{1, 2, 3.5, 4}, F: to(api.GetFeaturesParamsF("json"))})`,
    },
    {
      request: 'POST /shapes',
      body: [
        'application/json',
        {
          type: 'LineString',
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
      sdk: `c.postShape({ body: { type: 'LineString', coordinates: [[1, 2], [3, 4]] } })`,
      python: `c.post_shape(LinestringGeoJSON.from_dict({"type": "LineString", "coordinates": [[1, 2], [3, 4]]}))`,
    },
  ],
};

const STATEMENT: Readonly<Record<Language, (call: string) => string>> = {
  python: (call) => `try:\n    ${call}\nexcept Exception as e:\n    print(repr(e))`,
  go: (call) => call,
  java: (call) => `tried(() -> ${call});`,
};

/** A body as it reads: the boundary of its parts, and how blanks are written, are no matter. */
async function bodyOf(type: string, bytes: Buffer): Promise<readonly unknown[]> {
  const [essence] = type.split(';');
  if (/json/.test(type)) return [essence, JSON.parse(bytes.toString())];
  if (essence === 'application/x-www-form-urlencoded')
    return [essence, [...new URLSearchParams(bytes.toString())].sort()];
  if (essence !== 'multipart/form-data') return [essence, bytes.toString()];
  const [, boundary] = /boundary="?([^";]*)/.exec(type)!;
  const parts = bytes.toString().split(`--${boundary}`).slice(1, -1);
  const read = parts.map((part) => {
    const [head = '', ...text] = part.slice(2, -2).split('\r\n\r\n');
    const ofPart = /content-type: *([^;\r]*)/i.exec(head)?.[1] ?? 'text/plain';
    const value = text.join('\r\n\r\n');
    return [/ name="([^"]*)"/.exec(head)![1], ofPart, /json/.test(ofPart) ? JSON.parse(value) : value];
  });
  return [essence, read];
}

describe.each(oneIn(3, Object.entries(PRODUCTS)))(
  'what clients of a document in the shape of %s send',
  (name, calls) => {
    const contracts = join('test/readers/clients/products', name);
    let arrived: { request: string; body?: readonly unknown[]; headers: Record<string, unknown> }[];
    const server = createServer(async (request, response) => {
      const bytes = await buffer(request);
      const type = request.headers['content-type'];
      arrived.push({
        request: `${request.method} ${request.url!.replaceAll('+', '%20').replaceAll('%2C', ',').replaceAll('%40', '@')}`,
        ...(bytes.length > 0 && { body: await bodyOf(type ?? 'none', bytes) }),
        headers: request.headers,
      });
      response.writeHead(400, { 'content-type': 'application/problem+json' }).end('{}');
    });
    const urlOf = (base: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;

    /** Those that were made, each as it is to arrive. */
    const expected = (of: readonly Sent[]) =>
      of.map(({ request, body, headers = {} }) => ({
        request,
        ...(body && { body }),
        headers: expect.objectContaining(headers),
      }));

    beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
    beforeEach(() => {
      arrived = [];
    });
    afterAll(() => server.close());

    test('from TypeScript', async () => {
      const { files } = await compileContract(contracts, libraryFrom(0));
      const output = await mkdtemp(join(import.meta.dirname, '../../.types-'));
      try {
        for (const [path, text] of files!) if (path.startsWith('sdk/')) await writeText(join(output, path), text);
        const code = calls.map(({ sdk }) => `await ${sdk}.catch(() => {});`).join('\n');
        await writeText(
          join(output, 'send.ts'),
          `import { createClient } from './sdk/bound.js';\nconst c = createClient({ baseUrl: '${urlOf('')}' });\nexport const send = async () => {\n${code}\n};\n`,
        );
        await (await import(join(output, 'send.ts'))).send();
      } finally {
        await rm(output, { recursive: true });
      }
      expect(arrived).toEqual(expected(calls));
    });

    test.each(LANGUAGES.filter(hasToolchain))('from %s', async (language) => {
      const own = calls.filter((call) => call[language] !== undefined);
      const folder = await makeClient(language, contracts);
      const statements = own.map((call) => STATEMENT[language](call[language]!)).join('\n');
      const printed = own.length > 0 ? await runProgram(language, folder, statements, urlOf('')) : '';
      expect(arrived, printed).toEqual(expected(own));
    });
  },
);
