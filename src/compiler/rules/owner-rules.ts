import { admitsAnonymous } from '../../descriptor/access.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { suggestion } from '../findings/wording.ts';
import { isSchemaObject } from '../json-schema/flat-schema.ts';
import { typeName } from '../json-schema/property-type.ts';
import type { ResourceDraft } from '../model/draft.ts';
import { throughsReading } from '../model/resources/throughs-reading.ts';
import { declaredScopes, securitySchemes } from '../model/security-schemes.ts';
import { atOperation } from './place.ts';
import type { Check } from './rule.ts';

/** The owner is a required property that can hold the `sub` of a token. */
export const ownerProperty: Check = function* ({ resources }) {
  for (const { resource, rule, node } of ownedResources(resources)) {
    const names = [...resource.schema.properties.values()].filter(({ type }) => type === 'uuid' || type === 'string');
    const property = resource.schema.properties.get(String(rule['property']));
    const place = { node, key: 'x-owner' };
    if (property === undefined) {
      yield {
        severity: 'error',
        message: `\`x-owner\` of \`${resource.name}\` names \`${String(rule['property'])}\`, which is not one of its properties.`,
        hint: suggestion(
          String(rule['property']),
          names.map(({ name }) => name),
        ),
        ...place,
      };
    } else if (!names.includes(property)) {
      yield {
        severity: 'error',
        message: `\`${resource.name}.${property.name}\` is ${typeName(property.flat)}, which cannot equal the \`sub\` of a token.`,
        hint: 'An owner is `type: string`, preferably with `format: uuid`.',
        ...place,
      };
    } else if (property.flat.nullable || !property.required) {
      yield {
        severity: 'error',
        message: `\`${resource.name}.${property.name}\` may be absent, so some rows would have no owner.`,
        hint: `List \`${property.name}\` in \`required\` of \`${resource.name}\` and do not make it nullable.`,
        ...place,
      };
    }
  }
};

/** The scope that exempts from the owner rule is declared. */
export const ownerScope: Check = function* ({ document, resources }) {
  const scopes = declaredScopes(document);
  for (const { resource, rule, node } of ownedResources(resources)) {
    const scope = rule['scope'];
    if (scopes === undefined || scope === undefined || scopes.has(String(scope))) continue;
    yield {
      severity: 'error',
      message: `\`x-owner\` of \`${resource.name}\` names the scope \`${String(scope)}\`, which no OAuth 2 flow of the contract declares.`,
      hint: suggestion(String(scope), [...scopes]),
      node,
      key: 'x-owner',
    };
  }
};

/** Operations on an owned resource need an authenticated caller, because anonymous callers own nothing. */
export const ownerAccess: Check = function* ({ document, resources }) {
  for (const { resource, rule } of ownedResources(resources)) {
    const lists = throughsReading(resources, resource).map((operation) => ['list', operation] as const);
    for (const [action, operation] of [...Object.entries(resource.operations), ...lists]) {
      const reads = action === 'list' || action === 'get';
      if (!admitsAnonymous(operation.access) || (reads && rule['reads'] === 'anyone')) continue;
      yield {
        severity: 'error',
        message: `\`${operation.operationId}\` allows anonymous callers, but \`x-owner\` of \`${resource.name}\` compares the caller's \`sub\`.`,
        hint: reads
          ? `Give it a \`security\` requirement${schemeHint(document)}, or write \`reads: anyone\` in \`x-owner\`.`
          : `Give it a \`security\` requirement${schemeHint(document)}.`,
        ...atOperation(operation, 'security'),
      };
    }
  }
};

function schemeHint(document: OpenApiDocument): string {
  const name = Object.keys(securitySchemes(document))[0];
  return name === undefined ? '' : ` such as \`${name}: []\``;
}

function* ownedResources(resources: readonly ResourceDraft[]) {
  for (const resource of resources) {
    const keyword = resource.schema.flat.keywords.get('x-owner');
    if (keyword !== undefined && isSchemaObject(keyword.value) && typeof keyword.value['property'] === 'string') {
      yield { resource, rule: keyword.value, node: keyword.node };
    }
  }
}
