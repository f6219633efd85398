import { errorClassOf } from '../../../compiler/emit/sdk/sdk-errors.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { link } from '../layout/links.ts';
import { block, code, items, lines, table } from '../layout/markdown.ts';
import { literal } from '../samples/typescript.ts';
import type { Guide } from './guide.ts';
import type { Shown } from './shown.ts';

/** A property that a patch can clear. */
const clearable = ({ properties }: ResourceDescriptor): PropertyDescriptor | undefined =>
  properties.find(({ origin, nullable, immutable }) => origin === 'input' && nullable && !immutable);

export const nulls: Guide = {
  name: 'writing-null',
  title: 'Changing some properties, and writing null',
  description: 'What PATCH and PUT do with what is not sent, and how a property is cleared.',
  words: [
    'null',
    'set to null',
    'set a field to null',
    'clear',
    'unset',
    'remove a value',
    'empty',
    'patch',
    'put',
    'put vs patch',
    'partial update',
    'merge patch',
    'replace',
  ],
  text(shown, { model }) {
    const resource = shown.resource(['update'], (one) => clearable(one) !== undefined) ?? shown.resource(['update']);
    if (!resource) return undefined;
    const property = clearable(resource);
    return lines(
      `${code('PATCH')} changes what is sent and nothing else (a merge patch, RFC 7396); ${code('PUT')} replaces the whole input, so that optional properties that are not sent are cleared; what only a patch takes stays. In a patch, ${code('null')} clears a property.`,
      property && `${code(`${resource.name}.${property.name}`)} becomes null, all else stays:`,
      property &&
        [
          shown.curl(resource, 'update', { body: { [property.name]: null } }),
          shown.typescript(
            resource,
            'update',
            ({ expression, target }) => `await ${expression}.update(${target}, ${literal({ [property.name]: null })});`,
          ),
          shown.others(resource, 'update', { body: { [property.name]: null } }),
          shown.graphql(resource, 'update', { body: { [property.name]: null } }),
        ].join('\n'),
      '## What to know',
      table(
        ['What is sent', 'PATCH', 'PUT and POST'],
        [
          ['a value', 'the property has it', 'the property has it'],
          [code('null'), 'the property is cleared, if it may be', 'the property is null, if it may be'],
          ['nothing', 'the property stays', 'an optional one is cleared or has its default, a required one is refused'],
        ],
      ),
      items([
        model.graphql && 'Over GraphQL it is the same: a field of the input that is left out is not sent, `null` is.',
        'A property that may not be null refuses it as `VALIDATION_FAILED`, and names the property.',
      ]),
    );
  },
};

/** Whether one caller creates many: an owner has more than one, and no value is unique. */
const isMadeOften = ({ unique, owner }: ResourceDescriptor): boolean => unique.length === 0 && owner?.property !== 'id';

export const idempotency: Guide = {
  name: 'creating-safely',
  title: 'Creating once, even when sent twice',
  description: 'Retry a create safely: the same Idempotency-Key never creates twice.',
  words: [
    'idempotency',
    'idempotent',
    'Idempotency-Key',
    'retry create',
    'retry create safely',
    'duplicate',
    'twice',
    'double',
    'timeout',
    'lost answer',
    'safe retry',
    'POST again',
    'exactly once',
  ],
  text(shown, { model, places }) {
    const resource = shown.resource(['create'], isMadeOften) ?? shown.resource(['create']);
    if (!resource) return undefined;
    const key = '3f0b6a52-5b7e-4f0a-9d0e-0c1f6a3d7e11';
    const headers = [['Idempotency-Key', key] as const];
    return lines(
      `A create that got no answer may have happened. Send it with an ${code('Idempotency-Key')}, a text of your own that no other create of yours has, and send it again with the same key until there is an answer: it creates once, and each repetition gets the first answer.`,
      [
        shown.curl(resource, 'create', { headers }),
        shown.typescript(resource, 'create', ({ expression, parent }, { body }) => {
          const options = `{ idempotencyKey: '${key}' }`;
          return `// Without a key of yours the client makes one, and sends it again by itself.
await ${expression}.create(${[...parent, literal(body?.value), options].join(', ')});`;
        }),
        shown.others(resource, 'create', { headers }),
        shown.graphqlCurl(resource, 'create', headers),
      ].join('\n'),
      model.graphql && 'Over GraphQL the key is the same header field of the request.',
      '## What to know',
      items([
        'A key is kept for 24 hours, for its caller alone. It is one key over both protocols: what one has answered, the other repeats.',
        model.errors['IDEMPOTENCY_KEY_REUSED'] &&
          `The same key with another body is ${link(code('IDEMPOTENCY_KEY_REUSED'), places.error('IDEMPOTENCY_KEY_REUSED'))}.`,
        'A repetition is answered with the status and the body of the first. `abc` and `"abc"` are one key.',
        'Failures are not kept: after an error the same key tries anew.',
        '`PUT` and `DELETE` need no key: sent twice, they have the effect of once. The second `DELETE` is answered with 404: take it as done.',
      ]),
    );
  },
};

export const concurrency: Guide = {
  name: 'changing-what-was-read',
  title: 'Changing what has been read',
  description: 'Change a resource only if nobody has changed it since: ETag, If-Match and 412.',
  words: [
    '412',
    'precondition failed',
    'what does 412 mean',
    'etag',
    'If-Match',
    'If-None-Match',
    'optimistic locking',
    'concurrency',
    'lost update',
    'version',
    'conflict',
    'unchanged',
    'if unchanged',
  ],
  text(shown, { model, places }) {
    const hasSample = (one: ResourceDescriptor): boolean => literal(shown.request(one, 'update').body?.value) !== '{}';
    const resource =
      shown.resource(['get', 'update'], hasSample) ??
      shown.resource(['get', 'replace']) ??
      shown.resource(['get', 'update']);
    if (!resource) return undefined;
    const action =
      resource.actions.update && hasSample(resource) ? 'update' : resource.actions.replace ? 'replace' : 'update';
    const failed = errorClassOf('PRECONDITION_FAILED');
    return lines(
      `Each resource counts its changes in ${code('version')}, and the ${code('ETag')} of an answer begins with that number. A change that sends it back in ${code('If-Match')} applies to the version that was read, or not at all: the answer is then 412, ${link(code('PRECONDITION_FAILED'), places.error('PRECONDITION_FAILED'))}. Read again, decide again, send again. A weak tag (${code('W/"3"')}), as proxies that compress answers make them, never matches: send the tag without ${code('W/')}, or the version alone, ${code('"3"')}.`,
      [
        shown.curl(resource, action, { headers: [['If-Match', '"3"']] }),
        shown.typescript(
          resource,
          action,
          ({ expression, target }, { body }) => `const read = await ${expression}.get(${target});
try {
  await ${expression}.${action}(read, ${literal(body?.value).replaceAll('\n', '\n  ')});
} catch (error) {
  if (!(error instanceof ${failed})) throw error;
  console.log('Somebody was faster.');
}`,
          [failed],
        ),
        shown.others(resource, action, {}, 'unchanged'),
        shown.graphql(resource, action, { given: { ifVersion: 3 } }),
      ].join('\n'),
      resource.actions.update &&
        lines(
          'Until it succeeds, reading before each attempt:',
          [
            loop(shown, resource),
            shown.typescript(
              resource,
              'update',
              ({ expression, target }, { body }) =>
                `// Reads, changes, and does both again when another change came between.
await ${expression}.change(${target}, () => (${literal(body?.value)}));`,
            ),
            shown.others(resource, 'update', {}, 'change'),
          ].join('\n'),
        ),
      '## What to know',
      items([
        'Without `If-Match` a change applies to whatever is there. A patch without it may be repeated: it writes the same values.',
        `If the answer to a change with ${code('If-Match')} is lost and its repetition says 412, read: the change may be your own.`,
        model.graphql && `Over GraphQL the version is the argument ${code('ifVersion')} of the mutation.`,
        `${code('If-None-Match')} on a read answers 304 without a body while nothing has changed.`,
      ]),
    );
  },
};

/** The loop in a shell: what a version is refused for is read and sent again. */
function loop(shown: Shown, resource: ResourceDescriptor): string {
  const read = shown.command(resource, 'get').replace('curl', 'curl -sf -D - -o /dev/null');
  const change = shown
    .command(resource, 'update', { headers: [['If-Match', '$ETAG']] })
    .replace('curl', "curl -s -o /dev/null -w '%{http_code}'")
    .replace("'If-Match: $ETAG'", '"If-Match: $ETAG"');
  return block(
    'sh',
    `STATUS=412
while [ "$STATUS" = 412 ]; do
  ETAG=$(${read} | tr -d '\\r' | sed -n 's/^[Ee][Tt][Aa][Gg]: //p')
  [ -n "$ETAG" ] || exit 1
  STATUS=$(${change})
done
echo "$STATUS"`,
    'curl',
  );
}
