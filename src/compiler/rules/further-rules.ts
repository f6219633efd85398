import { nestedOf } from '../../descriptor/resource.ts';
import { suggestion } from '../findings/wording.ts';
import { largestJson } from '../json-schema/body-limits.ts';
import { FURTHER_READERS, type ReadFurther } from '../model/resources/index.ts';
import { atOperation } from './place.ts';
import { type Fault, type RuleKind, rule } from './rule.ts';

/** Why an operation is not the further operation that its extension declares. */
const faultsOf = ({ operation, faults }: ReadFurther): readonly Fault[] =>
  faults.map(({ key, message, hint, unknown, node, also }) => ({
    message,
    hint: unknown ? suggestion(unknown.name, unknown.known, hint) : hint,
    ...(node ? { node } : atOperation(operation, key)),
    ...(also && { also }),
  }));

/** Bytes of a body, and characters of variables, if no setting says otherwise. */
const [MAX_BODY, MAX_VARIABLES] = [2 ** 20, 65_536];

/** The rule of a kind of operations, which reports why one is not of that kind. */
const kindRule = (kind: RuleKind & { readonly id: keyof typeof FURTHER_READERS }) =>
  rule<ReadFurther>({
    ...kind,
    each: ({ document, operations, resources }) => FURTHER_READERS[kind.id](document, operations, resources),
    check: faultsOf,
  });

/** Rules of the operations that a resource has beside its actions. */
export const furtherRules = [
  kindRule({
    id: 'through-list',
    summary: 'A list with `x-through` contains the rows that a third resource joins to its parent.',
    advice:
      '`GET /issues/{issueId}/labels` with `x-through: IssueLabel` returns `LabelPage` and accepts the parameters of the list of labels. `IssueLabel` has one reference to `Issue` and one to `Label`. Otherwise name them: `{ resource: IssueLabel, from: issueId, to: labelId }`.',
  }),
  kindRule({
    id: 'totals',
    summary: 'Totals are of a resource, below its list, with the filters of the list and a schema of their groups.',
    advice:
      '`GET /loans/totals` with `x-totals: Loan` has the parameters `groupBy`, `measures`, `sort` and `limit`, the filters of `GET /loans`, and answers `LoanTotalPage`. `npm run new -- totals loans status fee:sum` writes all of it.',
  }),
  kindRule({
    id: 'batch',
    summary: 'A batch is of a resource, below its collection, with items that are its actions.',
    advice:
      '`POST /loans/batch` with `x-batch: Loan` accepts `mode` and up to 100 `items`, each with one member, such as `create`, and answers results. `npm run new -- batch loans` writes all of it.',
  }),
  kindRule({
    id: 'link',
    summary: 'A link joins two rows by a row of a third resource, which needs nothing else.',
    advice:
      '`PUT` and `DELETE /issues/{issueId}/labels/{labelId}` with `x-through: IssueLabel` return 204. The pair is in `x-unique` of `IssueLabel`, and its input requires only both ids. `npm run new -- links issues labels` writes both.',
  }),
  rule({
    id: 'batch-size',
    severity: 'warning',
    summary: 'The largest batch is within the limits of bodies and of GraphQL variables.',
    advice:
      'The server refuses larger bodies (1 MiB) and variables (64 KiB) before it reads them. Lower `maxItems`, or bound texts by `maxLength`.',
    each: ({ document, operations, resources }) => FURTHER_READERS.batch(document, operations, resources),
    check: ({ operation, further: batch, body }, { document, source }) => {
      if (!batch || body === undefined) return [];
      const bytes = largestJson(document, body);
      const parity = Object(operation.node)['x-parity'] as { readonly graphql?: string } | undefined;
      const isServed = source.sdl !== undefined && parity?.graphql !== 'absent';
      const [limit, where] = isServed ? [MAX_VARIABLES, 'variables of GraphQL'] : [MAX_BODY, 'bodies'];
      // Where nothing bounds a text, nothing is known.
      if (bytes <= limit || bytes === Number.POSITIVE_INFINITY) return [];
      const most = Math.floor((limit * batch.maxItems) / bytes);
      return {
        message: `The largest batch of \`${operation.operationId}\` has ${bytes.toLocaleString('en')} bytes, and ${where} ${limit.toLocaleString('en')} at most.`,
        hint:
          most < 1
            ? 'Bound its texts by `maxLength`.'
            : `Lower \`maxItems\` to ${most}, or bound its texts by a lower \`maxLength\`.`,
        ...atOperation(operation, 'requestBody'),
      };
    },
  }),
  rule({
    id: 'through-name',
    summary: 'A list with `x-through` does not have the name of a property of its parent.',
    advice: 'The last segment of its path is its name in GraphQL.',
    each: ({ resources }) => resources.flatMap(nestedOf),
    check: ({ operation, name, below }) =>
      below.schema.properties.has(name) && {
        message: `\`${operation.operationId}\` has the name \`${name}\`, which is also a property of \`${below.name}\`.`,
        hint: 'Choose another last segment of its path: it is the name of the field in GraphQL.',
        ...atOperation(operation),
      },
  }),
];
