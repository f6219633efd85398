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
  readonly headers?: Readonly<Record<string, unknown>>;
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
      headers: { 'x-token': 't', cookie: expect.stringMatching(/^ads_id=a%20b%3Bc(?:=|%3D)d(?:,|%2C)%C3%A9$/) },
      sdk: `c.readItemItemsItemIdGet({ path: { item_id: 7 }, query: { q: 'a & b' }, header: { 'x-token': 't' }, cookie: { ads_id: 'a b;c=d,é' } })`,
      python: `c.read_item_items_item_id_get(7, q="a & b", x_token="t", ads_id="a b;c=d,é")`,
      go: `c.ReadItemItemsItemIDGetWithResponse(ctx, 7, &api.ReadItemItemsItemIDGetParams{Q: to("a & b"), XToken: to("t"), AdsID: to("a b;c=d,é")})`,
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
      go: `nonce, item := api.MessageCreateRequestNonce{}, api.Row_Components_Item{}
	nonce.FromMessageCreateRequestNonce1("n")
	item.FromSelect(api.Select{Type: 3, Options: []string{"x"}})
	c.CreateMessageWithResponse(ctx, "1", api.MessageCreateRequest{Content: own.Set("hi"), Nonce: own.Set(nonce), Components: own.Set([]api.Row{{Type: 1, Components: []api.Row_Components_Item{item}}})})`,
      java: `c.createMessage("1", new MessageCreateRequest().content("hi").nonce(new MessageCreateRequestNonce("n")).addComponentsItem(new Row().type(Row.TypeEnum.NUMBER_1).addComponentsItem(new RowComponentsInner(new Select().type(Select.TypeEnum.NUMBER_3).addOptionsItem("x")))))`,
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
      go: `c.ReactionsCreateForIssueWithResponse(ctx, "a", "b", 3, api.ReactionsCreateForIssueJSONRequestBody{Content: api.ReactionsCreateForIssueJSONBodyContentPlus1})`,
      java: `c.reactionsCreateForIssue("a", "b", 3L, new ReactionsCreateForIssueRequest().content(ReactionsCreateForIssueRequest.ContentEnum.fromValue("+1")))`,
    },
    {
      request: 'GET /repos/a/b/issues?milestone=3&state=all',
      sdk: `c.issuesListForRepo({ path: { owner: 'a', repo: 'b' }, query: { milestone: 3, state: 'all' } })`,
      python: `c.issueslist_for_repo("a", "b", milestone=3, state=IssueslistForRepoState.ALL)`,
      java: `c.issuesListForRepo("a", "b", o -> o.milestone(3).state("all"))`,
    },
    {
      request: 'GET /repos/a/b/contents/x%2Fy',
      sdk: `c.reposGetContent({ path: { owner: 'a', repo: 'b', path: 'x/y' } })`,
      python: `c.reposget_content("a", "b", "x/y")`,
      go: `c.ReposGetContentWithResponse(ctx, "a", "b", "x/y")`,
      java: `c.reposGetContent("a", "b", "x/y")`,
    },
  ],
  linked: [
    {
      request: 'POST /articles',
      body: ['application/vnd.api+json', { data: { type: 'articles', attributes: { title: 'é' } } }],
      sdk: `c.postArticles({ body: { data: { type: 'articles', attributes: { title: 'é' } } } })`,
      python: `c.post_articles(PostArticlesBody.from_dict({"data": {"type": "articles", "attributes": {"title": "é"}}}))`,
      go: `article := api.PostArticlesApplicationVndAPIPlusJSONRequestBody{}
	json.Unmarshal([]byte(\`{"data":{"type":"articles","attributes":{"title":"é"}}}\`), &article)
	c.PostArticlesWithApplicationVndAPIPlusJSONBodyWithResponse(ctx, article)`,
      java: `c.postArticles(new PostArticlesRequest().data(new Article().type(Article.TypeEnum.ARTICLES).attributes(new ArticleAllOfAttributes().title("é"))))`,
    },
    {
      request: 'GET /articles?fields[articles]=title&include=author,author.posts&page[number]=2',
      sdk: `c.getArticles({ query: { 'fields[articles]': 'title', 'page[number]': 2, include: ['author', 'author.posts'] } })`,
      python: `c.get_articles(fields_articles="title", page_number=2, include=[ArticleInclude.AUTHOR, ArticleInclude("author.posts")])`,
      go: `c.GetArticlesWithResponse(ctx, &api.GetArticlesParams{FieldsArticles: to("title"), PageNumber: to(int64(2)), Include: []api.ArticleInclude{"author", "author.posts"}})`,
      java: `c.getArticles(o -> o.fieldsArticles("title").pageNumber(2L).include(java.util.List.of(ArticleInclude.AUTHOR, ArticleInclude.fromValue("author.posts"))))`,
    },
  ],
  calendar: [
    {
      request:
        'GET /calendars/a@b.c/events?$.xgafv=1&eventTypes=x%20y&eventTypes=z&orderBy=startTime&timeMin=2026-01-02T03:04:05%2B02:00',
      sdk: `c.calendarEventsList({ path: { calendarId: 'a@b.c' }, query: { '$.xgafv': '1', eventTypes: ['x y', 'z'], orderBy: 'startTime', timeMin: '2026-01-02T03:04:05+02:00' } })`,
      python: `c.calendar_events_list("a@b.c", xgafv=CalendarEventsListXgafv.VALUE_1, event_types=["x y", "z"], order_by=CalendarEventsListOrderBy.STARTTIME, time_min=datetime.datetime.fromisoformat("2026-01-02T03:04:05+02:00"))`,
      go: `c.CalendarEventsListWithResponse(ctx, "a@b.c", &api.CalendarEventsListParams{DotXgafv: to("1"), EventTypes: []string{"x y", "z"}, OrderBy: to(api.CalendarEventsListParamsOrderByStarttime), TimeMin: to(time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 7200)))})`,
      java: `c.calendarEventsList("a@b.c", o -> o.$xgafv("1").eventTypes(java.util.List.of("x y", "z")).orderBy("startTime").timeMin(java.time.OffsetDateTime.parse("2026-01-02T03:04:05+02:00")))`,
    },
    {
      request: 'POST /calendars/a/events',
      body: [
        'application/json',
        {
          summary: 'é',
          start: { date: '2026-03-02' },
          recurrence: ['RRULE:FREQ=WEEKLY'],
          extra: [1, null],
          gadget: { a: { b: 1 } },
        },
      ],
      sdk: `c.calendarEventsInsert({ path: { calendarId: 'a' }, body: { summary: 'é', start: { date: '2026-03-02' }, recurrence: ['RRULE:FREQ=WEEKLY'], extra: [1, null], gadget: { a: { b: 1 } } } })`,
      python: `c.calendar_events_insert("a", Event(summary="é", start=EventDateTime(date=datetime.date(2026, 3, 2)), recurrence=["RRULE:FREQ=WEEKLY"], extra=[1, None], gadget=EventGadget.from_dict({"a": {"b": 1}})))`,
      go: `c.CalendarEventsInsertWithResponse(ctx, "a", nil, api.Event{Summary: to("é"), Start: &api.EventDateTime{Date: &types.Date{Time: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)}}, Recurrence: []string{"RRULE:FREQ=WEEKLY"}, Extra: []any{1, nil}, Gadget: map[string]any{"a": map[string]any{"b": 1}}})`,
      java: `c.calendarEventsInsert("a", new Event().summary("é").start(new EventDateTime().date(java.time.LocalDate.of(2026, 3, 2))).addRecurrenceItem("RRULE:FREQ=WEEKLY").extra(java.util.Arrays.asList(1, null)).gadget(java.util.Map.of("a", java.util.Map.of("b", 1))))`,
    },
    {
      request: 'POST /freeBusy',
      sdk: 'c.calendarFreebusyQuery({})',
      python: 'c.calendar_freebusy_query()',
      java: 'c.calendarFreebusyQuery(null)',
    },
  ],
  dotnet: [
    {
      request: 'GET /odata/Orders(7)?$select=id&api-version=1.0&select=a',
      sdk: `c.OrdersGet({ path: { key: 7 }, query: { $select: 'id', select: 'a', 'api-version': '1.0' } })`,
      python: 'c.orders_get(7, dollar_select="id", select="a", api_version="1.0")',
      go: 'c.OrdersGetWithResponse(ctx, 7, &api.OrdersGetParams{DollarSelect: to("id"), Select: to("a"), APIVersion: to("1.0")})',
      java: 'c.ordersGet(7, o -> o.dollarSelect("id").select("a").apiVersion("1.0"))',
    },
    {
      request: 'POST /api/Orders',
      body: [
        'application/json',
        {
          id: 1,
          $type: 'order',
          status: 'Open',
          level: 2,
          total: 1234567.89,
          lines: [{ quantity: 3 }],
          shippedIn: null,
        },
      ],
      sdk: `c.postApiOrders({ body: { id: 1, $type: 'order', status: 'Open', level: 2, total: 1234567.89, lines: [{ quantity: 3 }], shippedIn: null } })`,
      python: `c.post_api_orders(ContosoModelsOrder.from_dict({"id": 1, "$type": "order", "status": "Open", "level": 2, "total": 1234567.89, "lines": [{"quantity": 3}], "shippedIn": None}))`,
      go: `c.PostAPIOrdersWithResponse(ctx, api.ContosoModelsOrder{ID: to(int32(1)), DollarType: own.Set("order"), Status: own.Set(api.ContosoModelsStatusOpen), Level: to(api.ContosoModelsLevelHigh), Total: to(1234567.89), Lines: own.Set([]api.ContosoModelsLine{{Quantity: to(int32(3))}}), ShippedIn: own.Clear[string]()})`,
      java: `c.postApiOrders(new ContosoModelsOrder().id(1).dollarType("order").status(ContosoModelsStatus.OPEN).level(ContosoModelsLevel.fromValue(2)).total(new java.math.BigDecimal("1234567.89")).addLinesItem(new ContosoModelsLine().quantity(3)).shippedIn(null))`,
    },
    {
      request: 'GET /api/Orders/priority?Level=1',
      sdk: 'c.OrdersPriority({ query: { Level: 1 } })',
      python: 'c.orders_priority(level=ContosoModelsLevel.MID)',
      go: 'c.OrdersPriorityWithResponse(ctx, &api.OrdersPriorityParams{Level: to(api.ContosoModelsLevelMid)})',
      java: 'c.ordersPriority(o -> o.level(ContosoModelsLevel.fromValue(1)))',
    },
  ],
  gateway: [
    {
      request: 'GET /v1/things?filter.state=STATE_ON&page.size=1&page_size=2',
      sdk: `c.ThingServiceListThings({ query: { 'page.size': 1, page_size: 2, 'filter.state': 'STATE_ON' } })`,
      python: `c.thing_service_list_things(page_dot_size=1, page_underscore_size=2, filter_state=ThingServiceListThingsFilterState.STATE_ON)`,
      go: `c.ThingServiceListThingsWithResponse(ctx, &api.ThingServiceListThingsParams{PageDotSize: to(int32(1)), PageUnderscoreSize: to(int32(2)), FilterState: to(api.ThingServiceListThingsParamsFilterStateStateOn)})`,
      java: `c.thingServiceListThings(o -> o.pageDotSize(1).pageUnderscoreSize(2).filterState("STATE_ON"))`,
    },
    {
      request: 'POST /v1/things%2F1:undelete',
      body: ['application/json', { a: [1] }],
      sdk: `c.ThingServiceUndeleteThing({ path: { name: 'things/1' }, body: { a: [1] } })`,
      python: `c.thing_service_undelete_thing("things/1", ThingServiceUndeleteThingBody.from_dict({"a": [1]}))`,
      go: `c.ThingServiceUndeleteThingWithResponse(ctx, "things/1", map[string]any{"a": []int{1}})`,
      java: `c.thingServiceUndeleteThing("things/1", java.util.Map.of("a", java.util.List.of(1)))`,
    },
  ],
  shipping: [
    {
      request: 'GET /parcels/01942075-d220-7e39-b67b-6cff93a6d0ca',
      sdk: `c.getParcel({ path: { id: '01942075-d220-7e39-b67b-6cff93a6d0ca' } })`,
      python: `c.get_parcel(UUID("01942075-d220-7e39-b67b-6cff93a6d0ca"))`,
      go: `c.GetParcelWithResponse(ctx, uuid.MustParse("01942075-d220-7e39-b67b-6cff93a6d0ca"))`,
      java: `c.getParcel(java.util.UUID.fromString("01942075-d220-7e39-b67b-6cff93a6d0ca"))`,
    },
    {
      request: 'POST /parcels',
      body: [
        'application/json',
        {
          kind: 'box',
          id: '01942075-d220-7e39-b67b-6cff93a6d0ca',
          sides: [1, 2.5],
          weight: { value: 1.5, unit: 'kg' },
        },
      ],
      sdk: `c.createParcel({ body: { kind: 'box', id: '01942075-d220-7e39-b67b-6cff93a6d0ca', sides: [1, 2.5], weight: { value: 1.5, unit: 'kg' } } })`,
      python: `c.create_parcel(Box(kind="box", id=UUID("01942075-d220-7e39-b67b-6cff93a6d0ca"), sides=[1, 2.5], weight=Weight(value=1.5, unit=WeightUnit.KG)))`,
      go: `box := api.Parcel{}
	box.FromBox(api.Box{ID: uuid.MustParse("01942075-d220-7e39-b67b-6cff93a6d0ca"), Sides: []float64{1, 2.5}, Weight: own.Set(api.Weight{Value: 1.5, Unit: api.WeightUnitKg})})
	c.CreateParcelWithResponse(ctx, box)`,
      java: `c.createParcel(new Parcel(new Box().kind("box").id(java.util.UUID.fromString("01942075-d220-7e39-b67b-6cff93a6d0ca")).sides(java.util.List.of(1d, 2.5)).weight(new Weight().value(1.5).unit(Weight.UnitEnum.KG))))`,
    },
    {
      request: 'POST /rates',
      body: ['application/json', { reference: 'r', to: { country: 'AT', lines: ['é'] } }],
      sdk: `c.rates({ body: { reference: 'r', to: { country: 'AT', lines: ['é'] } } })`,
      python: `c.rates(RatesBody(reference="r", to=Address(country="AT", lines=["é"])))`,
      go: `c.RatesWithResponse(ctx, api.RatesJSONRequestBody{Reference: to("r"), To: api.Address{Country: "AT", Lines: []string{"é"}}})`,
      java: `c.rates(new RatesRequest().reference("r").to(new Address().country("AT").addLinesItem("é")))`,
    },
  ],
  springdoc: [
    {
      request: 'GET /api/pets?page=0&size=2&sort=name%2Casc&sort=id',
      sdk: `c.findAll({ query: { pageable: { page: 0, size: 2, sort: ['name,asc', 'id'] } } })`,
      python: `c.find_all(page=0, size=2, sort=["name,asc", "id"])`,
      go: `c.FindAllWithResponse(ctx, &api.FindAllParams{Page: to(int32(0)), Size: to(int32(2)), Sort: []string{"name,asc", "id"}})`,
      java: `c.findAll(o -> o.page(0).size(2).sort(java.util.List.of("name,asc", "id")))`,
    },
    {
      request: 'GET /api/owners?ids=9007199254740991&ids=2',
      sdk: 'c.findAll1({ query: { ids: [9007199254740991, 2] } })',
      python: 'c.find_all_1(ids=[9007199254740991, 2])',
      go: 'c.FindAll1WithResponse(ctx, &api.FindAll1Params{Ids: []int64{9007199254740991, 2}})',
      java: 'c.findAll1(o -> o.ids(java.util.List.of(9007199254740991L, 2L)))',
    },
    {
      request: 'POST /api/pets',
      body: [
        'application/json',
        {
          name: 'Réx',
          kind: 'DOG',
          born: '2026-01-02',
          seenAt: '2026-01-02T03:04:05+02:00',
          owner: { id: 1, pets: [] },
        },
      ],
      sdk: `c.save({ body: { name: 'Réx', kind: 'DOG', born: '2026-01-02', seenAt: '2026-01-02T03:04:05+02:00', owner: { id: 1, pets: [] } } })`,
      python: `c.save(Pet(name="Réx", kind=PetKind.DOG, born=datetime.date(2026, 1, 2), seen_at=datetime.datetime.fromisoformat("2026-01-02T03:04:05+02:00"), owner=Owner(id=1, pets=[])))`,
      java: `c.save(new Pet().name("Réx").kind(Pet.KindEnum.DOG).born(java.time.LocalDate.of(2026, 1, 2)).seenAt(java.time.OffsetDateTime.parse("2026-01-02T03:04:05+02:00")).owner(new Owner().id(1L).pets(java.util.List.of())))`,
    },
    {
      request: 'POST /api/pets',
      body: ['application/json', { name: 'Réx', kind: 'DOG', seenAt: '2026-01-02T03:04:05+02:00', owner: { id: 1 } }],
      sdk: `c.save({ body: { name: 'Réx', kind: 'DOG', seenAt: '2026-01-02T03:04:05+02:00', owner: { id: 1 } } })`,
      go: `c.SaveWithResponse(ctx, api.Pet{Name: "Réx", Kind: to(api.PetKindDog), SeenAt: to(time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 7200))), Owner: &api.Owner{ID: to(int64(1))}})`,
    },
  ],
  reports: [
    {
      request: 'GET /reports/a%20%26b%2Fc%3F',
      sdk: `c.GetTheReport({ path: { id: 'a &b/c?' } })`,
      python: `c.get_the_report("a &b/c?")`,
      go: `c.GetTheReportWithResponse(ctx, "a &b/c?")`,
      java: `c.getTheReport("a &b/c?")`,
    },
    {
      request: 'PUT /reports/a/csv',
      body: ['text/csv', 'a,"é"\n'],
      sdk: `c.putCsv({ path: { id: 'a' }, body: 'a,"é"\\n' })`,
      python: `c.put_csv("a", "a,\\"é\\"\\n")`,
      go: `c.PutCsvWithBodyWithResponse(ctx, "a", "text/csv", strings.NewReader("a,\\"é\\"\\n"))`,
      java: `c.putCsv("a", "a,\\"é\\"\\n")`,
    },
    {
      request: 'PUT /reports/a/note',
      body: ['text/plain', 'é'],
      sdk: `c.putNote({ path: { id: 'a' }, body: 'é' })`,
      python: `c.put_note("a", "é")`,
      go: `c.PutNoteWithTextBodyWithResponse(ctx, "a", api.PutNoteTextRequestBody("é"))`,
      java: `c.putNote("a", "é")`,
    },
    {
      request: 'PUT /reports/a/state',
      body: ['application/json', { state: '-done', ratio: -0.5 }],
      sdk: `c.putState({ path: { id: 'a' }, body: { state: '-done', ratio: -0.5 } })`,
      python: `c.put_state("a", ReportStatus.from_dict({"state": "-done", "ratio": -0.5}))`,
      java: `c.putState("a", new ReportStatus().state(ReportStatus.StateEnum.fromValue("-done")).ratio(ReportStatus.RatioEnum.fromValue(-0.5)))`,
    },
  ],
  words: [
    {
      request: 'GET /words?From=2&body=4&class=3&client=5&ctx=6&from=1&limit=7',
      headers: { limit: '8' },
      sdk: `c.importOperation({ query: { from: '1', From: '2', class: '3', body: '4', client: '5', ctx: '6', limit: 7 }, header: { limit: 8 } })`,
      python: `c.import_(from_="1", from_capital="2", class_="3", body="4", client_query="5", ctx="6", limit_query=7, limit_header=8)`,
      java: `c.importOperation(o -> o.from("1").FromCapital("2").propertyClass("3").body("4").client("5").ctx("6").limit(8L).limit2(7L))`,
    },
    {
      request: 'POST /words',
      body: [
        'application/json',
        {
          items: [
            {
              map: {
                'a-b': '1',
                a_b: '2',
                aB: '3',
                class: '4',
                'say "hi"': '5',
                'line\nbreak': '6',
                '*/': '7',
                名前: '8',
              },
            },
          ],
        },
      ],
      sdk: `c.getUnderscoreThing({ body: { items: [{ map: { 'a-b': '1', a_b: '2', aB: '3', class: '4', 'say "hi"': '5', 'line\\nbreak': '6', '*/': '7', 名前: '8' } }] } })`,
      python: `c.get_underscore_thing(List.from_dict({"items": [{"map": {"a-b": "1", "a_b": "2", "aB": "3", "class": "4", 'say "hi"': "5", "line\\nbreak": "6", "*/": "7", "名前": "8"}}]}))`,
      java: `c.getUnderscoreThing(new ListModel().addItemsItem(new ObjectModel().map(new MapModel().aMinusB("1").aUnderscoreB("2").aB042a("3").propertyClass("4").saySpaceU22HiU22("5").lineUaBreak("6").starSlash("7").u540dU524d("8"))))`,
    },
    {
      request: 'PUT /words',
      body: ['application/json', { secret: 's', UUID: { uuid: '01942075-d220-7e39-b67b-6cff93a6d0ca' } }],
      sdk: `c.getThingA855({ body: { secret: 's', UUID: { uuid: '01942075-d220-7e39-b67b-6cff93a6d0ca' } } })`,
      python: `c.get_thing_a_855(String.from_dict({"secret": "s", "UUID": {"uuid": "01942075-d220-7e39-b67b-6cff93a6d0ca"}}))`,
      java: `c.getThingA855(new StringModel().secret("s").UUID(new UUIDModel().uuid(java.util.UUID.fromString("01942075-d220-7e39-b67b-6cff93a6d0ca"))))`,
    },
    {
      request: 'DELETE /words',
      sdk: 'c.GetThing({})',
      python: 'c.get_thing_42_b_5()',
      java: 'c.getThing42b5()',
    },
  ],
  maps: [
    {
      request: 'GET /features?bbox=1.5,2.5,3.5,4.5&f=json',
      sdk: `c.getFeatures({ query: { bbox: [1.5, 2.5, 3.5, 4.5], f: 'json' } })`,
      python: 'c.get_features(bbox=[1.5, 2.5, 3.5, 4.5], f=GetFeaturesF.JSON)',
      java: 'c.getFeatures(o -> o.bbox(java.util.List.of(1.5, 2.5, 3.5, 4.5)).f("json"))',
      go: `c.GetFeaturesWithResponse(ctx, &api.GetFeaturesParams{Bbox: []float64{1.5, 2.5, 3.5, 4.5}, F: to(api.GetFeaturesParamsF("json"))})`,
    },
    {
      request: 'GET /tiles/a%20b,c%2Cd?flags=x,a%2Cb&layers=a%2Cb,c&near=%7B%22lat%22:1.5%7D&where[a b]=x%26y',
      headers: { 'x-layers': 't,h' },
      sdk: `c.getTiles({ path: { ids: ['a b', 'c,d'] }, query: { where: { 'a b': 'x&y' }, flags: { x: 'a,b' }, near: { lat: 1.5 }, layers: ['a,b', 'c'] }, header: { 'X-Layers': ['t', 'h'] } })`,
      python: `c.get_tiles(["a b", "c,d"], where=GetTilesWhere.from_dict({"a b": "x&y"}), flags=GetTilesFlags.from_dict({"x": "a,b"}), near='{"lat":1.5}', layers=["a,b", "c"], x_layers="t,h")`,
      go: `c.GetTilesWithResponse(ctx, []string{"a b", "c,d"}, &api.GetTilesParams{Where: map[string]string{"a b": "x&y"}, Flags: map[string]string{"x": "a,b"}, Near: &struct { Lat *float64 \`json:"lat,omitempty"\` }{Lat: to(1.5)}, Layers: []string{"a,b", "c"}, XLayers: []string{"t", "h"}})`,
      java: `c.getTiles(java.util.List.of("a b", "c,d"), o -> o.where(java.util.Map.of("a b", "x&y")).flags(java.util.Map.of("x", "a,b")).near(java.util.Map.of("lat", 1.5)).layers(java.util.List.of("a,b", "c")).xLayers(java.util.List.of("t", "h")))`,
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
      go: `line := api.GeometryGeoJSON{}
	line.FromLinestringGeoJSON(api.LinestringGeoJSON{Type: "LineString", Coordinates: [][]float64{{1, 2}, {3, 4}}})
	c.PostShapeWithResponse(ctx, line)`,
      java: `c.postShape(new GeometryGeoJSON(new LinestringGeoJSON().type(LinestringGeoJSON.TypeEnum.LINE_STRING).coordinates(java.util.List.of(java.util.List.of(1d, 2d), java.util.List.of(3d, 4d)))))`,
      python: `c.post_shape(LinestringGeoJSON.from_dict({"type": "LineString", "coordinates": [[1, 2], [3, 4]]}))`,
    },
  ],
};

const STATEMENT: Readonly<Record<Language, (call: string) => string>> = {
  python: (call) => `try:\n    ${call}\nexcept Exception as e:\n    print(repr(e))`,
  go: (call) => call,
  java: (call) => `tried(() -> ${call});`,
};

/** A request's line as it reads: how characters are escaped, and the order of the query's names, are no matter. */
function written(line: string): string {
  const [, method, path = '', query = ''] = /^(\S+) ([^?]*)\??(.*)$/.exec(line) ?? [];
  const segments = path
    .split('/')
    .map((segment) => encodeURIComponent(decodeURIComponent(segment.replaceAll('%2C', '%252C'))));
  // A comma between items is written plain, and one of an item is not.
  const fields = new URLSearchParams(query.replaceAll('%2C', '%252C'));
  fields.sort();
  return `${method} ${segments.join('/')}?${fields}`;
}

/** A body as it reads: the boundary of its parts, and how blanks are written, are no matter. */
async function bodyOf(type: string, bytes: Buffer): Promise<readonly unknown[]> {
  const [essence] = type.split(';');
  if (/json/.test(type)) return [essence, JSON.parse(bytes.toString() || '"nothing"')];
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
        request: written(`${request.method} ${request.url!}`),
        ...((bytes.length > 0 || type) && { body: await bodyOf(type ?? 'none', bytes) }),
        headers: request.headers,
      });
      response.writeHead(400, { 'content-type': 'application/problem+json' }).end('{}');
    });
    const urlOf = (base: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;

    /** Those that were made, each as it is to arrive. */
    const expected = (of: readonly Sent[]) =>
      of.map(({ request, body, headers = {} }) => ({
        request: written(request),
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
      if (own.length === 0) return;
      const folder = await makeClient(language, contracts);
      const statements = own.map((call) => STATEMENT[language](call[language]!)).join('\n');
      const printed = await runProgram(language, folder, statements, urlOf(''));
      expect(arrived, printed).toEqual(expected(own));
    });
  },
);
