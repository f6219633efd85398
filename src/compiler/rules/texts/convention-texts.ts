import type { RuleTable } from './rule-table.ts';

/** The rules of the conventions (docs/contract.md), in the order in which they are checked. */
export const CONVENTION_TEXTS: RuleTable = {
  'server-url': [
    'The URL of a server is one, once its variables have their defaults.',
    'Operations are served below the path of the first: `/v1`, or `https://{host}/v1` with `variables: { host: { default: api.example.com } }`.',
  ],
  'path-parameter-name': [
    'Path parameters are identifiers.',
    'Write `{bookId}`: routers and types accept nothing else.',
  ],
  'path-parameter-declared': [
    'Path templates and declared path parameters match.',
    'Declare each `{parameter}` on the path or on its operations, and no others (OpenAPI 3.1, 4.8.12.1).',
  ],
  'path-duplicate': [
    'No two paths differ only in the names of their parameters, or only after a `#`.',
    'Routers cannot tell them apart (OpenAPI 3.1, 4.8.8). Move the operations to one of them.',
  ],
  'path-case': ['Path segments are kebab-case.', 'Write `/book-loans`.'],
  'path-plural': ['A collection has a plural name.', 'Write `/books`. It is only a warning where grammar is a guess.'],
  'path-verb': ['A path consists of nouns.', 'The method is the verb: `GET /books`, not `GET /get-books`.'],
  'operation-id-missing': ['Every operation has an operationId.', 'Handlers, types and clients are named after it.'],
  'operation-id-case': ['An operationId is camelCase.', 'Handlers and types are named after it: `listBooks`.'],
  'operation-id-duplicate': [
    'An operationId is unique.',
    'It names one operation of the whole document (OpenAPI 3.1, 4.8.10.1).',
  ],
  'response-status': [
    'Responses have numeric statuses.',
    'A handler cannot return `default` or `4XX`; declare each status that it answers.',
  ],
  'security-scheme': [
    'Security requirements name schemes of the contract.',
    'Declare the scheme in `components.securitySchemes`; no token could meet it otherwise.',
  ],
  'security-scope': [
    'Required scopes are declared.',
    'Add the scope to a flow of the OAuth 2 scheme (OpenAPI 3.1, 4.8.28).',
  ],
  'resource-managed': [
    'A resource has all four managed properties.',
    'Add `id`, `version`, `createdAt` and `updatedAt`. With only some of them, the schema is not a resource, and each of its operations needs a handler.',
  ],
  'resource-fit': [
    'What is almost a resource is one, or is said not to be.',
    'Correct what the summary lists, or write `x-resource: false` on the schema: then it is served as it is, by your own handlers.',
  ],
  'resource-schema-named': [
    'The schema of a resource has a name.',
    'Move it to `components.schemas`: its input, patch and page are named after it.',
  ],
  'resource-schema-once': [
    'Each collection has a schema of its own.',
    'References and inputs go by the name of the schema.',
  ],
  'resource-get': ['A collection has `GET /collection/{id}`.', 'Without it, it is not recognized as a resource.'],
  'resource-id': [
    'The path parameter with the id of a resource has the type of the id.',
    'Give both the same `type` and `format`, best by a `$ref` to one schema.',
  ],
  'id-chosen': [
    'The server does not make up a text, so every caller sends the id; where the database counts, none does.',
    'Require `id` in the input, or make it `type: string, format: uuid`; of an integer, require it or remove it from the input.',
  ],
  'id-text': [
    'A text that is an id can stand in a path and in an index: it is not empty, `.` or `..`, and at most 255 characters long.',
    'Give it a `pattern` such as `^[a-z0-9][a-z0-9-]{0,62}$`.',
  ],
  'id-of-path': [
    '`PUT` that creates gives the new resource the id of its path, which the database cannot count.',
    'Remove its response `201`, or give the path parameter the bounds of the id, best by a `$ref` to one schema.',
  ],
  'key-property': [
    'A property that names one in a path in place of the id is unique, required, never changes, and is a text or an integer.',
    'Add `x-unique` and `x-immutable` to it and list it in `required`; where the path holds the id, call the parameter so: `{bookId}`.',
  ],
  'key-access': [
    'Reading one by its id and by another key takes the same access.',
    'Give both operations the same `security`.',
  ],
  'sub-resource': [
    'A sub-resource has the id of its parent.',
    'It stands below a resource, and has a required property with the name of the path parameter; below `/books/{isbn}`, `bookId`.',
  ],
  'name-duplicate': [
    'Resources and properties keep different names in code and in the database.',
    'Rename one of the two: they would share a table or a column.',
  ],
  'managed-property-type': [
    'The managed properties have the types that the server gives them.',
    '`id` is `string/uuid`, `string`, `integer` or `string/int64`, `version` is `integer`, `createdAt` and `updatedAt` are `string/date-time`.',
  ],
  'managed-property-required': [
    'The managed properties are required.',
    'The server always sets them; add them to `required`.',
  ],
  'property-type': [
    'Properties can be stored and returned unchanged.',
    'Write 64-bit integers as `string` with `format: int64`, and take secrets in a custom operation instead of `writeOnly`.',
  ],
  'property-inherited': [
    'Properties and parameters have names that objects in JavaScript do not have anyway.',
    '`constructor`, `toString`, `valueOf` and the like: write `constructorName`.',
  ],
  'property-case': [
    'Properties are camelCase, or snake_case where `x-naming` says so.',
    'Write `publishedOn`, or `published_on`.',
  ],
  'required-known': ['`required` names properties that exist.', 'Add the property, or remove its name.'],
  'required-initial': [
    'A required property has a value on creation.',
    'Require it in the input, or give it a `default`, `x-transitions` or an owner.',
  ],
  'enum-case': [
    'Enum values are UPPER_SNAKE_CASE.',
    'The values of `sort` are names of properties, and written like them.',
  ],
  'input-schema': ['Inputs are named schemas.', '`BookInput` creates and replaces, `BookPatch` updates.'],
  'input-managed': ['Inputs have no properties that the server or the path sets.', 'Their values would be lost.'],
  'input-unknown': [
    'Every property of an input is a property of the resource.',
    'Add it to the resource, or remove it: its value would be lost.',
  ],
  'input-type': [
    'A property has the same type in the resource and in its inputs.',
    'Best by a `$ref` to one schema. What is written must be readable.',
  ],
  'input-enum': ['The enum values of an input are among those of the resource.', 'Refer to one schema in both.'],
  'input-bounded': [
    'Texts and lists of an input are bounded.',
    'Add `maxLength` or `maxItems`: they are stored, indexed and returned at any length.',
  ],
  'input-range': [
    'An input takes nothing that the resource may not have: no wider bounds, and no text without the pattern.',
    'Give both the same bounds, best by a `$ref` to one schema: what is stored is answered as it is.',
  ],
  'patch-required': ['A merge patch has no required properties.', 'It contains only what changes (RFC 7396).'],
  'patch-default': [
    'A merge patch has no defaults.',
    'Generated clients send defaults, and would set what nobody has changed: a default belongs beside the `$ref` in the input. The published document has none in patches either way.',
  ],
  'action-status': [
    'An action has the success status of the conventions.',
    '201 for create, 204 for delete, 200 for all others; a `PUT` that creates has 201 beside it.',
  ],
  'action-response': [
    'An action returns the resource, a page of it, or nothing.',
    'The table of actions is in docs/contract.md.',
  ],
  'action-request': [
    'The body of a writing action is the required input or patch of its resource.',
    '`application/json` for inputs, `application/merge-patch+json` for patches, which may be `application/json` as well.',
  ],
  'page-shape': [
    'A list returns `{ data, page: { nextCursor, previousCursor?, totalCount?, totalCountIsExact? } }`.',
    'Clients page through every list in the same way, and see where a count that has a `maximum` was cut off.',
  ],
  'list-paging': ['A list has `limit` and `cursor`.', 'Without them, one request would ask for everything.'],
  'list-limit': [
    '`limit` is a bounded integer.',
    'Give it a `minimum` of at least 1, a `maximum`, and a default between them.',
  ],
  'list-parameter-type': ['`cursor` is a string, `count` a boolean.', 'The server reads and makes them.'],
  'sort-shape': ['`sort` is a comma-separated list of enum values.', 'An array of an enum, with `explode: false`.'],
  'sort-property': [
    'A list is sorted by properties that have the same order in every database.',
    'Decimals and JSON have none. Each value is the name of a property, with `-` for descending.',
  ],
  'through-list': [
    'With `x-through`, an operation lists what a third resource joins to one of another.',
    '`GET /issues/{issueId}/labels` with `x-through: IssueLabel` answers `LabelPage` and takes what the list of labels takes; `IssueLabel` has one reference to `Issue` and one to `Label`, or `x-through` names them: `{ resource: IssueLabel, from: issueId, to: labelId }`.',
  ],
  'through-name': [
    'A list with `x-through` has another name than the properties of the resource above.',
    'The last segment of its path is its name in GraphQL.',
  ],
  'sort-default': ['The default order consists of values of the enum.', 'Add the value, or choose another default.'],
  'filter-property': [
    'A query parameter of a list names a property to filter by.',
    'Others than the filters are `limit`, `cursor`, `count` and `sort`. In the schema of `filter`, a property names one, too, or a reference, or the inverse of one.',
  ],
  'filter-style': [
    'A filter is one value, a comma-separated array, a `deepObject`, or JSON by a closed schema.',
    'Arrays need `explode: false`. Conditions on `Book` are a component `BookFilter`, whose `and`, `or` and `not` are of it, too.',
  ],
  'filter-operator': [
    'The operators of a filter apply to the type of its property.',
    'The table of operators is in docs/contract.md.',
  ],
  'filter-type': [
    'A filter has the type of its property, and takes the same values as the condition of the same name.',
    'Refer to the same schema in both.',
  ],
  'filter-search': [
    'A search for a text asks for three characters or more.',
    'Add `minLength: 3` to `contains`. No index of trigrams finds a shorter text: each search reads the whole table, about a second for a million rows. Such reads run one at a time beside all others, and get 503 when too many wait.',
  ],
  'search-property': [
    'A search is by properties whose values are free texts.',
    '`x-search` names properties of `type: string` without a `format` or an `enum`.',
  ],
  'search-parameter': [
    'The list of what has `x-search` has the parameter `search`.',
    'Add `{ name: search, in: query, schema: { type: string, maxLength: 100 } }`; `npm run sync` and `npm run contract -- --fix` do.',
  ],
  'search-length': [
    'A search is a string of bounded length.',
    'Its `maxLength` is 200 or less, which bounds the number of its words, too.',
  ],
  'search-language': [
    'The language of a search is one whose inflected forms are known.',
    '`language` of `x-search` is `da`, `de`, `en`, `es`, `fr`, `it`, `nl`, `no`, `pt` or `sv`. Without one, words are found as they are written.',
  ],
  'extension-unknown': [
    'Extensions are spelled as the conventions spell them.',
    'A misspelled one would be ignored in silence.',
  ],
  'extension-place': ['An extension stands where it has an effect.', 'Where that is, docs/contract.md says for each.'],
  'extension-value': [
    'The value of an extension has the shape of its definition.',
    'The hint shows one that is valid.',
  ],
  'extension-without-effect': [
    'Extensions of resources stand on the schemas of resources.',
    'On an input, a patch or any other schema nothing reads them.',
  ],
  'reference-target': ['`x-references` names a resource of this contract.', 'It is the name of the schema: `Book`.'],
  'reference-cycle': [
    'Required references make no circle.',
    'Where each of two resources needs a row of the other first, nobody can make any. A warning: rows may come from elsewhere.',
  ],
  'reference-type': [
    'A reference has the type of the id that it holds.',
    'Give the property the `type` and `format` of that id, best by a `$ref` to one schema.',
  ],
  'on-delete': [
    '`x-on-delete` stands beside `x-references`, and can be obeyed.',
    '`set-null` needs a property that may be null or absent.',
  ],
  'reference-hidden': [
    'A reference to rows that `x-owner` hides says whether callers may name those of others.',
    '`x-reference-hidden: refuse` is what holds where nothing is said; with `allow`, ids of hidden rows can be told from others, and their owners may be kept from deleting them.',
  ],
  'unique-properties': [
    'Unique keys consist of properties with scalar values.',
    'JSON has no equality that every database agrees on.',
  ],
  'transitions-enum': [
    'The states of a state machine are the values of a string enum.',
    'Put `x-transitions` on such a property.',
  ],
  'transitions-known': ['Transitions name values of the enum.', 'Add the state to the enum, or correct its name.'],
  'transitions-cover': [
    'Every state can be reached from the initial one.',
    'Add a transition to it, or remove the value.',
  ],
  'transitions-initial': ['The default is the initial state.', 'That is the first value of the enum.'],
  'owner-property': [
    'The owner is a required property that can hold the `sub` of a token.',
    'Its type is `string` or `string/uuid`.',
  ],
  'owner-scope': ['The scope that exempts from the owner rule is declared.', 'Add it to a flow of the OAuth 2 scheme.'],
  'owner-access': [
    'Operations on an owned resource need a caller.',
    'Anonymous callers own nothing; with `reads: anyone` they may read.',
  ],
  'actor-property': [
    'Who has made a resource, and changed it last, is the `sub` of a token.',
    '`createdBy` and `updatedBy` are texts or UUIDs; they are nullable or optional where callers need no token.',
  ],
  'tenant-property': [
    'The property that `x-tenant` names is in every row of the resources that have it.',
    'It is required, not nullable, a text, a UUID or an integer, and not in the path.',
  ],
  'tenant-input': ['No input names the tenant.', "The claim of the caller's token does; remove it from the input."],
  'tenant-claim': ['`claim` of `x-tenant` is the name of a claim, or a path.', 'Write it without `$claims`.'],
  'tenant-scope': ['The scope that sees all tenants is declared.', 'Add it to a flow of the OAuth 2 scheme.'],
  'tenant-access': [
    'Operations on rows of tenants need a token.',
    'Callers without one have no tenant: they see nothing, and may write nothing.',
  ],
  'tenant-reference': [
    'What belongs to all tenants refers to nothing that belongs to one.',
    'Each tenant would see the ids of rows of others, and could keep them from being deleted.',
  ],
  'tenant-key': [
    'Unique keys hold within a tenant.',
    'One that rows below those of tenants have without the id of such a row, holds over all: tenants would be in the way of each other.',
  ],
  'immutable-patch': ['Immutable properties are not in the patch.', 'They are set on creation and never changed.'],
  sunset: [
    'Only deprecated operations have a sunset, after their deprecation.',
    'Write `deprecated: true` beside it (RFC 8594; RFC 9745, 4).',
  ],
  'version-released': [
    'Old versions in `x-versions` were released.',
    'What is served is the release: `released/v1/openapi.json`.',
  ],
};
