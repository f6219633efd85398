import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { code } from '../layout/markdown.ts';
import { literal } from '../samples/typescript.ts';
import type { Guide } from './guide.ts';

/** A property that a patch can clear. */
const clearable = ({ properties }: ResourceDescriptor): PropertyDescriptor | undefined =>
  properties.find(({ origin, nullable, immutable }) => origin === 'input' && nullable && !immutable);

export const nulls: Guide = {
  name: 'writing-null',
  values(shown) {
    const resource = shown.resource(['update'], (one) => clearable(one) !== undefined) ?? shown.resource(['update']);
    if (!resource) return undefined;
    const property = clearable(resource);
    const body = property && { [property.name]: null };
    return {
      resource,
      property: property && code(`${resource.name}.${property.name}`),
      cleared: { body },
      change: literal(body),
    };
  },
};

/** Whether one caller creates many: an owner has more than one, and no value is unique. */
const isMadeOften = ({ unique, owner }: ResourceDescriptor): boolean => unique.length === 0 && owner?.property !== 'id';

export const idempotency: Guide = {
  name: 'creating-safely',
  values(shown, { model }) {
    const resource = shown.resource(['create'], isMadeOften) ?? shown.resource(['create']);
    if (!resource) return undefined;
    const key = '3f0b6a52-5b7e-4f0a-9d0e-0c1f6a3d7e11';
    return {
      resource,
      withKey: { headers: [['Idempotency-Key', key]] },
      options: `{ idempotencyKey: '${key}' }`,
      isRefused: model.errors['IDEMPOTENCY_KEY_REUSED'],
    };
  },
};

export const concurrency: Guide = {
  name: 'changing-what-was-read',
  values(shown) {
    const hasSample = (one: ResourceDescriptor): boolean => literal(shown.request(one, 'update').body?.value) !== '{}';
    const resource =
      shown.resource(['get', 'update'], hasSample) ??
      shown.resource(['get', 'replace']) ??
      shown.resource(['get', 'update']);
    if (!resource) return undefined;
    const { update: updates, replace } = resource.actions;
    const status = "curl -s -o /dev/null -w '%{http_code}'";
    return {
      ...{ resource, updates },
      action: replace && !(updates && hasSample(resource)) ? 'replace' : 'update',
      ifMatch: { headers: [['If-Match', '"3"']] },
      ifVersion: { given: { ifVersion: 3 } },
      readTag: shown.command(resource, 'get').replace('curl', 'curl -sf -D - -o /dev/null'),
      sendChange:
        updates &&
        shown
          .command(resource, 'update', { headers: [['If-Match', '$ETAG']] })
          .replace('curl', status)
          .replace("'If-Match: $ETAG'", '"If-Match: $ETAG"'),
    };
  },
};
