import type { RuleTable } from '../../findings/rule-text.ts';

/** What the checks `drift`, `changes` and `consumers` find, except what breaks GraphQL clients. */
export const CHANGE_TEXTS: RuleTable = {
  'generated-drift': [
    'The output is what the contract compiles to.',
    'Run `npm run generate` and commit what it writes; nobody edits the output.',
  ],
  'baseline-changed': [
    'Only a release changes what has been released.',
    'Put `released/` back as it is at the merge base, then run `npm run release`; the contract is compared with the releases there anyway.',
  ],
  'tenant-code': [
    'Code beside a contract with `x-tenant` stays within a tenant.',
    'Its `store` did not before. Where it means to leave, it says `store.acrossTenants` or `store.forTenant(id)`; `npm run generate` settles the finding.',
  ],
  'consumer-document': [
    'The GraphQL documents of registered consumers are valid.',
    'Keep what the consumer sends, or change the document, if the consumer no longer sends this one.',
  ],
  'consumer-empty': [
    'The folder of a consumer has documents, or calls.',
    'Documents are files `*.graphql`, and calls are in `operations.yaml`. Whom a break hurts is not known of a consumer of which nothing is read.',
  ],
  'consumer-name': [
    'The `operations.yaml` of a consumer names operations, parameters and parts of bodies and answers that exist.',
    'Keep what the consumer calls, or change the file, if the consumer no longer does.',
  ],
  'consumer-shape': [
    'The `operations.yaml` of a consumer has `calls`.',
    'Each has an `operation`, and may state more.',
  ],
  'waiver-expired': ['A waiver holds until its date.', 'Remove it, or decide anew and give it a later date.'],
  'waiver-unused': [
    'A waiver waives something.',
    'What it waived may have been released, or its rule or subject is misspelled.',
  ],
  'change-major': [
    'A difference that breaks clients, where that is allowed.',
    'A new API version may have it, as the old one is still served.',
  ],
  'change-minor': ['A difference that clients can use, and that breaks none.', 'The next release is a minor one.'],
  'change-patch': ['A difference in words, or in what no client sees.', 'The next release is a patch.'],
  'breaking-versions/version-moved': [
    'What clients call stays served.',
    'Another path in `servers` begins a new API version. Keep the old one in `info.x-versions`.',
  ],
  'breaking-versions/version-removed': [
    'An old version stays served until its sunset.',
    'Announce the `sunset` in `x-versions`, release it, and remove the version when the day has come.',
  ],
  'breaking-versions/sunset-passed': [
    'A sunset is announced before it comes.',
    'Clients need time: choose a day in the future.',
  ],
  'breaking-versions/sunset-earlier': [
    'A sunset that was announced does not come earlier.',
    'Clients have planned by it. It may be put off.',
  ],
  'breaking-versions/server-removed': [
    'A host that clients call stays in `servers`.',
    'Name it again, as an additional server.',
  ],
  'breaking-rest/operation-removed': [
    'An operation stays.',
    'Deprecate it (`deprecated: true`, `x-sunset`), and leave it out of the next API version.',
  ],
  'breaking-rest/operation-id-changed': ['An operation keeps its operationId.', 'Clients have functions of that name.'],
  'breaking-rest/path-removed': [
    'A path stays.',
    'Deprecate its operations, and leave it out of the next API version.',
  ],
  'breaking-rest/parameter-removed': [
    'A parameter stays.',
    'The server refuses query parameters that are not declared.',
  ],
  'breaking-rest/parameter-became-required': [
    'What clients may leave out stays optional.',
    'Give the parameter a default instead.',
  ],
  'breaking-rest/parameter-serialization-changed': [
    'A parameter is written as before.',
    'Keep its `style` and `explode`.',
  ],
  'breaking-rest/request-body-removed': ['A body that clients send is taken.', 'Keep it, or add another operation.'],
  'breaking-rest/request-body-became-required': [
    'A body that clients may leave out stays optional.',
    'Act as before when there is none.',
  ],
  'breaking-rest/media-type-removed': [
    'A media type that clients send or receive stays.',
    'Add the new one beside it.',
  ],
  'breaking-rest/response-removed': ['A status that clients expect stays.', 'Add others beside it.'],
  'breaking-rest/response-withdrawn': [
    'A response that was written in a release stays written.',
    'The server still answers it, as the conventions imply. Who takes a promise back in writing waives it.',
  ],
  'breaking-rest/response-header-removed': [
    'A header field that clients read stays.',
    'Go on sending it; mark it `deprecated`.',
  ],
  'breaking-rest/response-header-withdrawn': [
    'A header field that was written in a release stays written.',
    'The server still sends it, as the conventions imply. Who takes a promise back in writing waives it.',
  ],
  'breaking-rest/response-header-optional': [
    'A header field that is always sent stays required.',
    'Clients read it without a second thought.',
  ],
  'breaking-rest/security-requirement-changed': [
    'Who may call an operation still may.',
    'Add the new scheme or scope as an alternative.',
  ],
  'breaking-rest/security-scheme-changed': [
    'A security scheme works as before.',
    'Add another scheme as an alternative.',
  ],
  'breaking-rest/schema-type-changed': [
    'A value keeps its type.',
    'In requests a type may become wider, in responses narrower. Otherwise add a property.',
  ],
  'breaking-rest/schema-constraint-changed': [
    'What clients send is still accepted, and what they receive stays within its bounds.',
    'Bounds, lengths and patterns may become wider in requests and narrower in responses. To declare what the server has always enforced is no break.',
  ],
  'breaking-rest/schema-combinator-changed': [
    'The branches of a schema stay compatible.',
    'In requests another alternative may be added, in responses none.',
  ],
  'breaking-rest/enum-values-added': [
    'What clients receive is among the values that they know.',
    'A new value of an enum that is answered needs a new API version.',
  ],
  'breaking-rest/enum-values-removed': [
    'The values that clients send are still accepted.',
    'Deprecate the value in words, and go on accepting it.',
  ],
  'breaking-rest/property-removed': [
    'A property stays.',
    'Clients read it, and the server refuses inputs with properties that it does not know. Deprecate it.',
  ],
  'breaking-rest/required-properties-added': [
    'What clients may leave out of a request stays optional.',
    'Give the property a default.',
  ],
  'breaking-rest/required-properties-removed': [
    'What is always answered stays so.',
    'Clients read it without a second thought.',
  ],
  'breaking-rest/added': ['What is new breaks nothing.', 'Make it optional.'],
  'breaking-rest/removed': ['What clients rely on stays.', 'Deprecate it.'],
  'breaking-rest/changed': ['What clients rely on stays as it is.', 'Add something new beside it.'],
  'breaking-rest/unique-added': [
    'Values that could repeat still can.',
    'Clients would meet `ALREADY_EXISTS` where they met none.',
  ],
  'breaking-rest/owner-added': [
    'Rows that callers could see stay visible.',
    'An owner rule hides what belongs to others.',
  ],
  'breaking-rest/owner-changed': ['The owner of a row stays the same.', 'Callers would lose their rows.'],
  'breaking-rest/owner-scope-changed': [
    'A scope that exempts from the owner rule still does.',
    'Callers with the old scope would see less.',
  ],
  'breaking-rest/owner-reads-changed': ['Rows that anyone could read stay readable.', 'Others would get 404.'],
  'breaking-rest/through-changed': [
    'A list joins its rows to the one above by another resource, or by other properties of it.',
    'Give the new list a path of its own.',
  ],
  'breaking-rest/tenant-added': [
    'What all callers could see stays in their sight.',
    'Tokens without the claim of `x-tenant` would see nothing, and the others the rows of their tenant alone.',
  ],
  'breaking-rest/tenant-removed': [
    'Rows of tenants stay within them.',
    'Without `x-tenant`, or without its property, all tenants would see each other.',
  ],
  'breaking-rest/tenant-changed': [
    'A row belongs to the same tenant as before.',
    'By another property or claim of `x-tenant`, callers would see other rows.',
  ],
  'breaking-rest/tenant-scope-changed': [
    'Who sees all tenants still does.',
    'Callers with the scope that `across` named would see those of their own tenant alone.',
  ],
  'breaking-rest/row-access-narrowed': [
    'Who may see and change rows still may.',
    'An alternative of `x-access` is gone, or an action has got a rule.',
  ],
  'breaking-rest/row-access-changed': [
    'Who may see and change rows still may.',
    'A condition of `x-access` that differs may let in fewer; add an alternative beside it.',
  ],
  'breaking-rest/field-access-narrowed': [
    'Who may read and write a property still may.',
    'An alternative of `x-access` of the property is gone, or it has got a rule.',
  ],
  'breaking-rest/field-access-changed': [
    'Who may read and write a property still may.',
    'A condition of `x-access` that differs may let in fewer; add an alternative beside it.',
  ],
  'breaking-rest/default-limit-changed': [
    'The default page size stays.',
    'Clients that name no limit would get another page.',
  ],
  'breaking-rest/default-sort-changed': ['The default order stays.', 'Clients that name no order rely on it.'],
  'breaking-rest/search-narrowed': [
    'What a search finds, it still finds.',
    'Clients would get fewer rows for the same words.',
  ],
  'breaking-rest/search-language-changed': [
    'A search finds the inflected forms that it found.',
    'Clients would get fewer rows for the same words. To add a language to a search without one breaks nobody.',
  ],
  'breaking-rest/search-reordered': [
    'A search has its rows in the same order.',
    'Rows come first by the first properties of `x-search` that have the words. Add further ones at the end.',
  ],
  'breaking-rest/default-changed': ['The initial value of a property stays.', 'Clients that leave it out rely on it.'],
  'breaking-rest/immutable-added': ['What could be changed still can.', '`x-immutable` refuses later changes.'],
  'breaking-rest/origin-changed': [
    'Who sets a property stays the same.',
    'What clients set would be refused, or what they left to the server would be missing.',
  ],
  'breaking-rest/reference-added': [
    'A property that could hold any id still can.',
    'Clients would meet `REFERENCE_NOT_FOUND`.',
  ],
  'breaking-rest/reference-changed': ['A reference leads to the same resource.', 'Add another property.'],
  'breaking-rest/reference-hidden-refused': [
    'A property that could refer to what is hidden from the caller still can.',
    'Clients would meet `REFERENCE_NOT_FOUND`.',
  ],
  'breaking-rest/on-delete-changed': [
    'Deleting a row has the same effect on others.',
    'Rows would be kept, lost, or keep others from being deleted.',
  ],
  'breaking-rest/transitions-added': [
    'A property that could change freely still can.',
    'Clients would meet `ILLEGAL_TRANSITION`.',
  ],
  'breaking-rest/transition-removed': ['A transition stays.', 'Clients would meet `ILLEGAL_TRANSITION`.'],
  'breaking-rest/error-code-removed': [
    'An error code that clients handle stays in the catalogue.',
    'Keep it, even if nothing answers it any more.',
  ],
  'breaking-rest/error-status-changed': ['An error code keeps its status.', 'Add another code.'],
  'breaking-rest/error-retryable-changed': [
    'An error stays retryable, or not.',
    'Clients try again by it. Add another code.',
  ],
  'breaking-storage/storage-needs-migration': [
    'The database of the last release can be brought to this contract without loss.',
    'Rows would be lost, or need values that nobody has given. Write a migration first (docs/migrations.md), and waive it until it is released.',
  ],
};
