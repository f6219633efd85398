import type { RuleTable } from '../../findings/rule-text.ts';

/** What the checks `drift`, `changes` and `consumers` find, except what breaks GraphQL clients. */
export const CHANGE_TEXTS: RuleTable = {
  'generated-drift': [
    'The output matches the contract.',
    'Run `npm run generate` and commit the result. Do not edit the output.',
  ],
  'baseline-changed': [
    'Only a release changes `released/`.',
    'Restore `released/` from the merge base, then run `npm run release`. The contract is compared with the releases at the merge base.',
  ],
  'tenant-code': [
    'Code next to a contract with `x-tenant` stays within a tenant.',
    '`store` reached all tenants before. If code must leave the tenant, write `store.acrossTenants` or `store.forTenant(id)`. `npm run generate` resolves the finding.',
  ],
  'totals-override': [
    'Totals stand beside a list without an override.',
    'Totals count the rows of the database that the caller may read. They do not ask the code that answers the list.',
  ],
  'consumer-document': [
    'The GraphQL documents of registered consumers are valid.',
    'Keep the parts of the contract that the consumer uses, or change the document if the consumer no longer sends it.',
  ],
  'consumer-empty': [
    'The folder of a consumer has documents or calls.',
    'Documents are `*.graphql` files; `operations.yaml` contains calls. Without either, breaking changes cannot name the consumer.',
  ],
  'consumer-name': [
    'The `operations.yaml` of a consumer names operations, parameters, and members of bodies and answers that exist.',
    'Keep the parts of the contract that the consumer uses, or change the file if the consumer no longer uses them.',
  ],
  'consumer-shape': [
    'The `operations.yaml` of a consumer has `calls`.',
    'Each call has an `operation` and optional details.',
  ],
  'waiver-expired': ['A waiver holds until its date.', 'Remove it, or decide again and give it a later date.'],
  'waiver-unused': [
    'A waiver matches a finding.',
    'The break may have been released, or the rule or subject is misspelled.',
  ],
  'change-major': [
    'A difference that breaks clients, and is allowed.',
    'A new API version may contain it, because the old version is still served.',
  ],
  'change-minor': [
    'A difference that clients can use, and that breaks none of them.',
    'The next release is a minor one.',
  ],
  'change-patch': ['A difference in words, or one that no client sees.', 'The next release is a patch.'],
  'breaking-mcp/tool-withdrawn': [
    'The tools of agents stay offered.',
    'Keep its group in `x-mcp`, or write `x-mcp: true` on the operation.',
  ],
  'breaking-mcp/tool-renamed': [
    'A tool keeps its name.',
    'Hosts keep names in their settings: which tools may be called without asking. Write the old one in `x-mcp`.',
  ],
  'breaking-mcp/tool-argument-required': [
    'A tool does not ask for more than before.',
    'Make the parameter optional. A model knows of a tool what the list said when the conversation began.',
  ],
  'breaking-versions/version-moved': [
    'The operations that clients call stay served.',
    'Another path in `servers` begins a new API version. Keep the old one in `info.x-versions`.',
  ],
  'breaking-versions/version-removed': [
    'An old version stays served until its sunset.',
    'Announce the `sunset` in `x-versions`, release it, and remove the version after that day.',
  ],
  'breaking-versions/sunset-passed': [
    'A sunset is announced before it comes.',
    'Clients need time: choose a day in the future.',
  ],
  'breaking-versions/sunset-earlier': [
    'An announced sunset does not come earlier.',
    'Clients have planned by it. It may be postponed.',
  ],
  'breaking-versions/server-removed': [
    'A host that clients call stays in `servers`.',
    'Restore it as an additional server.',
  ],
  'breaking-rest/operation-removed': [
    'An operation stays.',
    'Deprecate it (`deprecated: true`, `x-sunset`), and omit it from the next API version.',
  ],
  'breaking-rest/operation-id-changed': ['An operation keeps its operationId.', 'Clients have functions of that name.'],
  'breaking-rest/path-removed': ['A path stays.', 'Deprecate its operations, and omit it from the next API version.'],
  'breaking-rest/parameter-removed': [
    'A parameter stays.',
    'The server refuses query parameters that are not declared.',
  ],
  'breaking-rest/parameter-became-required': ['An optional parameter stays optional.', 'Give it a default instead.'],
  'breaking-rest/parameter-serialization-changed': [
    'The serialization of a parameter stays.',
    'Keep its `style` and `explode`.',
  ],
  'breaking-rest/request-body-removed': ['A request body is still accepted.', 'Keep it, or add another operation.'],
  'breaking-rest/request-body-became-required': [
    'An optional request body stays optional.',
    'Keep the behaviour of requests without one.',
  ],
  'breaking-rest/media-type-removed': [
    'A media type that clients send or receive stays.',
    'Add the new one in addition.',
  ],
  'breaking-rest/response-removed': ['A status that clients expect stays.', 'Add others in addition.'],
  'breaking-rest/response-withdrawn': [
    'A response in a released document stays in the document.',
    'The server still sends it, as the conventions imply. Waive the finding to withdraw the promise.',
  ],
  'breaking-rest/response-header-removed': [
    'A header field that clients read stays.',
    'Continue to send it, and mark it `deprecated`.',
  ],
  'breaking-rest/response-header-withdrawn': [
    'A header field in a released document stays in the document.',
    'The server still sends it, as the conventions imply. Waive the finding to withdraw the promise.',
  ],
  'breaking-rest/response-header-optional': [
    'A header field that is always sent stays required.',
    'Clients read it without checking that it is present.',
  ],
  'breaking-rest/security-requirement-changed': [
    'Callers keep their access to an operation.',
    'Add the new scheme or scope as an alternative.',
  ],
  'breaking-rest/security-scheme-changed': [
    'A security scheme works as before.',
    'Add another scheme as an alternative.',
  ],
  'breaking-rest/schema-type-changed': [
    'A value keeps its type.',
    'A type may become wider in requests and narrower in responses. Otherwise add a property.',
  ],
  'breaking-rest/schema-constraint-changed': [
    'Values that clients send stay valid, and values that they receive stay within their bounds.',
    'Bounds, lengths and patterns may become wider in requests and narrower in responses. Declaring bounds that the server has always enforced does not break clients.',
  ],
  'breaking-rest/schema-combinator-changed': [
    'The branches of a schema stay compatible.',
    'Requests may gain an alternative; responses may not.',
  ],
  'breaking-rest/enum-values-added': [
    'Clients receive only enum values that they know.',
    'A new value in a response needs a new API version.',
  ],
  'breaking-rest/enum-values-removed': [
    'The values that clients send are still accepted.',
    'Deprecate the value in its description, and continue to accept it.',
  ],
  'breaking-rest/property-removed': [
    'A property stays.',
    'Clients read it, and the server refuses inputs with unknown properties. Deprecate it.',
  ],
  'breaking-rest/required-properties-added': [
    'An optional property of a request stays optional.',
    'Give the property a default.',
  ],
  'breaking-rest/required-properties-removed': [
    'A property that is always in the response stays there.',
    'Clients read it without checking that it is present.',
  ],
  'breaking-rest/added': ['An addition breaks no client.', 'Make it optional.'],
  'breaking-rest/removed': ['Parts of the contract that clients use stay.', 'Deprecate them.'],
  'breaking-rest/changed': ['Parts of the contract that clients use stay unchanged.', 'Add another part in addition.'],
  'breaking-rest/unique-added': [
    'Values that could repeat still can.',
    'Clients would get `ALREADY_EXISTS` for accepted requests.',
  ],
  'breaking-rest/owner-added': [
    'Rows that callers could see stay visible.',
    'An owner rule hides rows of other callers.',
  ],
  'breaking-rest/owner-changed': ['The owner of a row stays the same.', 'Callers would lose their rows.'],
  'breaking-rest/owner-scope-changed': [
    'A scope that exempts from the owner rule still does.',
    'Callers with the old scope would see less.',
  ],
  'breaking-rest/owner-reads-changed': ['Rows that anyone could read stay readable.', 'Other callers would get 404.'],
  'breaking-rest/through-changed': [
    'A list joins its rows to its parent through the same resource and properties.',
    'Give the new list its own path.',
  ],
  'breaking-rest/totals-lowered': [
    'Totals of as many rows as before are answered.',
    'With a lower `maxRows`, callers would get `LIMIT_EXCEEDED`.',
  ],
  'breaking-rest/tenant-added': [
    'Rows that all callers could see stay visible.',
    'Tokens without the claim of `x-tenant` would see no rows, and others only those of their tenant.',
  ],
  'breaking-rest/tenant-removed': [
    'Rows of tenants stay within them.',
    'Without `x-tenant`, or without its property, all tenants would see each other.',
  ],
  'breaking-rest/tenant-changed': [
    'A row belongs to the same tenant as before.',
    'With another property or claim in `x-tenant`, callers would see other rows.',
  ],
  'breaking-rest/tenant-scope-changed': [
    'Callers that see all tenants still see them.',
    'Callers with the former scope of `across` would see only their own tenant.',
  ],
  'breaking-rest/row-access-narrowed': [
    'Callers keep their access to rows.',
    'An alternative of `x-access` was removed, or an action got a rule. Keep the alternative, or add one.',
  ],
  'breaking-rest/row-access-changed': [
    'Callers keep their access to rows.',
    'A changed condition of `x-access` may admit fewer callers. Add an alternative instead.',
  ],
  'breaking-rest/field-access-narrowed': [
    'Callers keep their access to a property.',
    'An alternative of its `x-access` was removed, or it got a rule. Keep the alternative, or add one.',
  ],
  'breaking-rest/field-access-changed': [
    'Callers keep their access to a property.',
    'A changed condition of `x-access` may admit fewer callers. Add an alternative instead.',
  ],
  'breaking-rest/default-limit-changed': [
    'The default page size stays.',
    'Clients that send no limit would get another page.',
  ],
  'breaking-rest/default-sort-changed': ['The default order stays.', 'Clients that send no order rely on it.'],
  'breaking-rest/search-narrowed': [
    'A search finds the rows that it found.',
    'Clients would get fewer rows for the same words.',
  ],
  'breaking-rest/search-language-changed': [
    'A search finds the inflected forms that it found.',
    'Clients would get fewer rows for the same words. Adding a language to a search without one does not break clients.',
  ],
  'breaking-rest/search-reordered': [
    'A search returns its rows in the same order.',
    'Matches in the first properties of `x-search` come first. Add further properties at the end.',
  ],
  'breaking-rest/default-changed': ['The initial value of a property stays.', 'Clients that omit it rely on it.'],
  'breaking-rest/immutable-added': [
    'A property that could be changed still can.',
    '`x-immutable` refuses later changes.',
  ],
  'breaking-rest/origin-changed': [
    'A property is still set by the client, or still by the server.',
    'Otherwise values of clients would be refused, or values of the server would be missing.',
  ],
  'breaking-rest/reference-added': [
    'A property that could hold any id still can.',
    'Clients would get `REFERENCE_NOT_FOUND` for accepted requests.',
  ],
  'breaking-rest/reference-changed': ['A reference leads to the same resource.', 'Add another property.'],
  'breaking-rest/reference-hidden-refused': [
    'A property that could refer to rows hidden from the caller still can.',
    'Clients would get `REFERENCE_NOT_FOUND` for accepted requests.',
  ],
  'breaking-rest/on-delete-changed': [
    'Deleting a row has the same effect on other rows.',
    'Otherwise rows would be kept, lost, or keep others from being deleted.',
  ],
  'breaking-rest/transitions-added': [
    'A property that could change freely still can.',
    'Clients would get `ILLEGAL_TRANSITION` for accepted requests.',
  ],
  'breaking-rest/transition-removed': [
    'A transition stays.',
    'Clients would get `ILLEGAL_TRANSITION` for accepted requests.',
  ],
  'breaking-rest/error-code-removed': [
    'An error code that clients handle stays in the catalogue.',
    'Keep it, even if no operation returns it.',
  ],
  'breaking-rest/error-status-changed': ['An error code keeps its status.', 'Add another code.'],
  'breaking-rest/error-retryable-changed': [
    'A retryable error stays retryable, and any other stays final.',
    'Clients decide by it whether to try again. Add another code.',
  ],
  'breaking-storage/storage-needs-migration': [
    'The database of the last release can be migrated to this contract without loss.',
    'Rows would be lost, or would need values that are not known. Write a migration first (docs/migrations.md), and waive the finding until it is released.',
  ],
};
