import { flat } from '../../compiler/json-schema/index.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { Schema } from '../../descriptor/document.ts';
import { type PropertyDescriptor, type PropertyType, propertyNamed } from '../../descriptor/resource.ts';
import type { Claims } from '../../runtime/auth/index.ts';
import { createSchemaRegistry } from '../../runtime/schema/index.ts';
import { Random } from '../random.ts';
import { randomSampler } from '../synthetic/values.ts';
import { withClaim } from './claims.ts';

const EXAMPLES: Partial<Readonly<Record<PropertyType, readonly [unknown, unknown]>>> = {
  uuid: ['019bc0de-7c00-7000-8000-0000000000aa', '019bc0de-7c00-7000-8000-0000000000e2'],
  integer: [1, 2],
  int64: ['1', '2'],
};

/** A value that is made up for a claim. */
export const exampleValue = ({ type }: Pick<PropertyDescriptor, 'type'>): unknown => EXAMPLES[type]?.[0] ?? 'example';

/** The two tenants of what is made up to try a contract with. */
export interface Tenants {
  /** The claim that names one. */
  readonly claim: readonly string[];
  readonly values: readonly [unknown, unknown];
  /** Key of the resource whose rows the tenants are, if they are rows. */
  readonly resource: string | undefined;
}

const known = new WeakMap<object, Tenants | undefined>();

/** Undefined without `x-tenant`. The schema of the property accepts both values. */
export function tenantsOf(contract: CompiledContract): Tenants | undefined {
  if (!known.has(contract)) known.set(contract, findTenants(contract));
  return known.get(contract);
}

function findTenants({ resources, document }: CompiledContract): Tenants | undefined {
  const found = resources.find(({ tenant }) => tenant);
  if (!found?.tenant) return undefined;
  const { claim, property: name } = found.tenant;
  const property = propertyNamed(found.properties, name);
  const { properties = {} } = flat(document, { $ref: `#/components/schemas/${found.schemas.resource}` });
  const schema = flat(document, properties[name]);
  const refuses = createSchemaRegistry(document).output(schema as Schema);
  const value = (n: 0 | 1): unknown => {
    const usual = EXAMPLES[property.type]?.[n] ?? ['example', 'two'][n];
    return refuses(usual) ? randomSampler(document, new Random(n + 1)).of({ ...schema, examples: [] }) : usual;
  };
  return { claim, values: [value(0), value(1)], resource: property.references?.resource };
}

/** The claim that names a tenant to a contract with `x-tenant`, for tokens to try it with: by default all are of one tenant. */
export function tenantClaims(contract: CompiledContract, value = tenantsOf(contract)?.values[0]): Claims {
  const tenants = tenantsOf(contract);
  return tenants ? withClaim({}, tenants.claim, value) : {};
}
