import { lookUp } from '../../descriptor/look-up.ts';
import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { AccessAlternative, FieldAction, RowAction } from '../../descriptor/row-access.ts';
import { alternativeWords, tenantWords } from '../../descriptor/row-access-words.ts';
import { tenantRules } from '../../descriptor/tenant.ts';
import type { Principal } from '../../runtime/auth/index.ts';
import { type Verdict, verdictsOn } from '../../runtime/engine/access/index.ts';
import type { ExplainedAlternative, ExplainedRule, Holds } from './explanation.ts';

type Descriptors = ReadonlyMap<string, ResourceDescriptor>;
type Purpose = 'read' | 'change';

/** Explains the rules that decide about an action on the rows of a resource, those of its ancestors first. */
export function explainRules(
  resource: ResourceDescriptor,
  action: Action,
  descriptors: Descriptors,
  principal: Principal | undefined,
): readonly ExplainedRule[] {
  const rules = new RuleWords(descriptors, principal);
  const ruled = ruledAction(action);
  const above = rules.above(resource, ruled === 'read' ? 'read' : 'change', ruled);
  switch (action) {
    case 'list':
    case 'get':
      return [...above, ...rules.read(resource, action === 'list' ? 'the rows of the list' : 'the row')];
    case 'create':
      return [
        ...above,
        ...rules.owner(resource, 'change', 'the new row, which gets the caller as its owner'),
        ...rules.access(resource, 'create', 'the new row'),
      ];
    default: {
      const asks = action === 'delete' ? 'the row' : 'the row before and after the change';
      return [
        ...above,
        ...rules.read(resource, 'the row, which the caller must read'),
        ...(resource.owner?.reads === 'anyone' ? rules.owner(resource, 'change', 'the row') : []),
        ...rules.access(resource, ruled, asks),
      ];
    }
  }
}

/** Explains the rules of the properties that an action shows, and of those that it takes. */
export function explainFields(
  resource: ResourceDescriptor,
  action: Action,
  descriptors: Descriptors,
  principal: Principal | undefined,
): readonly ExplainedRule[] {
  if (action === 'delete') return [];
  const rules = new RuleWords(descriptors, principal);
  const read = rules.fields(resource, 'read', 'each row that is shown, else it is null');
  if (action === 'list' || action === 'get') return read;
  const asks = action === 'create' ? 'the new row' : 'the row before and after the change';
  return [...rules.fields(resource, 'write', asks), ...read];
}

/** The action of `x-access` that an action falls under. */
export function ruledAction(action: Action): RowAction {
  if (action === 'list' || action === 'get') return 'read';
  return action === 'replace' ? 'update' : action;
}

class RuleWords {
  readonly #descriptors: Descriptors;
  readonly #principal: Principal | undefined;

  constructor(descriptors: Descriptors, principal: Principal | undefined) {
    this.#descriptors = descriptors;
    this.#principal = principal;
  }

  /** As the engine asks them: the parent is read, and changed unless the child has an owner, or a rule, of its own. */
  above(child: ResourceDescriptor, purpose: Purpose, action: RowAction): readonly ExplainedRule[] {
    const parent = child.parent && lookUp(this.#descriptors, child.parent.resource);
    if (!parent) return [];
    const ownerPurpose = child.owner ? 'read' : purpose;
    const next = action === 'read' || child.rowAccess?.[action] ? 'read' : 'update';
    const isChanged = ownerPurpose === 'change' && parent.owner?.reads === 'anyone';
    return [
      ...this.above(parent, ownerPurpose, next),
      ...this.read(parent, 'the parent, which the caller must read'),
      ...(isChanged ? this.owner(parent, 'change', 'the parent') : []),
      ...(next === 'update' ? this.access(parent, 'update', 'the parent') : []),
    ];
  }

  read(resource: ResourceDescriptor, asks: string): readonly ExplainedRule[] {
    return [...this.owner(resource, 'read', asks), ...this.access(resource, 'read', asks)];
  }

  owner({ name, owner }: ResourceDescriptor, purpose: Purpose, asks: string): readonly ExplainedRule[] {
    if (!owner || (purpose === 'read' && owner.reads === 'anyone')) return [];
    const alternatives: ExplainedAlternative[] = [
      ...(owner.scope === undefined ? [] : [this.#exemption(owner.scope)]),
      {
        words: `where its \`${owner.property}\` is the caller's \`sub\``,
        holds: this.#principal ? 'depending on the row' : 'for no row',
        lacks: this.#principal ? [] : ['a token'],
      },
    ];
    return [{ resource: name, rule: 'x-owner', asks, holds: together(alternatives), alternatives }];
  }

  #exemption(scope: string): ExplainedAlternative {
    const has = this.#principal?.scopes.has(scope) === true;
    const words = `by callers with the scope \`${scope}\``;
    return { words, holds: has ? 'for all rows' : 'for no row', lacks: has ? [] : [`the scope \`${scope}\``] };
  }

  access({ key, name, rowAccess }: ResourceDescriptor, action: RowAction, asks: string): readonly ExplainedRule[] {
    const { tenant, others } = tenantRules(rowAccess?.[action] ?? []);
    const rule = (rule: string, declared: readonly AccessAlternative[]): ExplainedRule => {
      const alternatives = this.#alternatives(key, declared);
      return { resource: name, rule, asks, holds: together(alternatives), alternatives };
    };
    return [
      ...(tenant ? [rule('x-tenant', [{ where: tenant }])] : []),
      ...(rowAccess?.[action] && others ? [rule(`x-access.${action}`, others)] : []),
    ];
  }

  fields({ key, name, properties }: ResourceDescriptor, action: FieldAction, asks: string): readonly ExplainedRule[] {
    return properties.flatMap(({ name: property, access }) => {
      const declared = access?.[action];
      if (!declared) return [];
      const alternatives = this.#alternatives(key, declared);
      const holds = together(alternatives);
      return [{ resource: `${name}.${property}`, rule: `x-access.${action}`, asks, holds, alternatives }];
    });
  }

  #alternatives(key: string, declared: readonly AccessAlternative[]): readonly ExplainedAlternative[] {
    const all = [...this.#descriptors.values()];
    return verdictsOn(declared, key, this.#descriptors, this.#principal).map(
      ({ alternative, holds, lacks }: Verdict) => ({ words: wordsOf(alternative, all), holds, lacks }),
    );
  }
}

const wordsOf = (alternative: AccessAlternative, resources: readonly ResourceDescriptor[]): string =>
  alternative.where?.kind === 'tenant' ? tenantWords(alternative.where) : alternativeWords(alternative, resources);

/** What alternatives come to, of which one suffices. */
function together(alternatives: readonly ExplainedAlternative[]): Holds {
  const holds = new Set(alternatives.map((one) => one.holds));
  if (holds.has('for all rows')) return 'for all rows';
  return holds.has('depending on the row') ? 'depending on the row' : 'for no row';
}
