import type { ResourceDescriptor } from './resource.ts';
import type { TenantCondition } from './row-access.ts';
import {
  type AccessAlternative,
  type CompareCondition,
  FIELD_ACTIONS,
  type FieldAccess,
  type FieldAction,
  ROW_ACTIONS,
  type RowAccess,
  type RowAction,
  type RowCondition,
  type RuleValue,
} from './row-access.ts';
import { tenantRules } from './tenant.ts';

type Named = Pick<ResourceDescriptor, 'key' | 'name'>;

const VERBS: Readonly<Record<RowAction | FieldAction, string>> = {
  read: 'Readable',
  create: 'Can be created',
  update: 'Can be changed',
  delete: 'Can be deleted',
  write: 'Can be written',
};

/** What the rules of a resource say: of its owners, of its rows, and of each property that has some. */
export const ruleSentences = (
  { owner, rowAccess = {}, properties }: Pick<ResourceDescriptor, 'owner' | 'rowAccess' | 'properties'>,
  resources: readonly Named[],
): readonly string[] => [
  ...(owner ? [ownerSentences(owner)] : []),
  ...accessSentences(rowAccess, resources),
  ...properties.flatMap(({ name, access }) =>
    access ? [`\`${name}\`: ${fieldSentences(access, resources).join(' ')}`] : [],
  ),
];

/** Whose the rows of a resource are (`x-owner`). */
export function ownerSentences({ property, reads, scope }: NonNullable<ResourceDescriptor['owner']>): string {
  const others = reads === 'anyone' ? 'Others may read it.' : 'To others it does not exist.';
  const exempt = scope === undefined ? '' : ` Callers with the scope \`${scope}\` are exempt.`;
  return `Belongs to the caller whose \`sub\` is its \`${property}\`. ${others}${exempt}`;
}

/**
 * What rules of row access say, one sentence of Markdown for each action: "Readable by callers with the scope `a`, or where
 * some appointment's `doctorId` is the caller's `sub`." `resources`: those of the contract.
 */
export function accessSentences(access: RowAccess, resources: readonly Named[]): readonly string[] {
  return ROW_ACTIONS.flatMap((action) => {
    const alternatives = access[action];
    return alternatives ? [accessSentence(action, alternatives, resources)] : [];
  });
}

/**
 * What the rules of a property say: "Null unless readable by callers with the scope `hr`, or where its `userId` is the
 * caller's `sub`."
 */
export function fieldSentences(access: FieldAccess, resources: readonly Named[]): readonly string[] {
  return FIELD_ACTIONS.flatMap((action) => {
    const alternatives = access[action];
    if (!alternatives) return [];
    const sentence = accessSentence(action, alternatives, resources);
    return action === 'read' ? sentence.replace(/^Readable/, 'Null unless readable') : sentence;
  });
}

/** The sentence of one action. */
export function accessSentence(
  action: RowAction | FieldAction,
  alternatives: readonly AccessAlternative[],
  resources: readonly Named[],
): string {
  const { tenant, others } = tenantRules(alternatives);
  const within = tenant ? `${VERBS[action]} ${tenantWords(tenant)}` : VERBS[action];
  if (!others) return `${within}.`;
  const texts = others.map((one) => alternativeWords(one, resources));
  return `${within}${tenant ? ',' : ''} ${texts.length === 0 ? 'by nobody' : texts.join(', or ')}.`;
}

/** "within the caller's tenant (`tenantId` is its `tenant`; with the scope `a`, in all tenants)" */
export function tenantWords({ property, claim, across }: TenantCondition): string {
  const all = across === undefined ? '' : `; with the scope \`${across}\`, in all tenants`;
  return `within the caller's tenant (\`${property}\` is its \`${claim.join('.')}\`${all})`;
}

/** "by callers with the scope `a` where its `state` is `OPEN`" */
export function alternativeWords({ scope, where }: AccessAlternative, resources: readonly Named[]): string {
  const condition = where && `where ${conditionWords(where, resources)}`;
  if (scope === undefined) return condition ?? 'by everyone';
  return `by callers with the scope \`${scope}\`${condition === undefined ? '' : ` ${condition}`}`;
}

/** A condition on a row, which is "it". */
export const conditionWords = (condition: RowCondition, resources: readonly Named[]): string =>
  new Words(resources).of(condition, { first: 'its', after: 'its', subject: 'it' });

/** Whose properties are spoken of: "some member's", and then "that member's". */
interface Whose {
  readonly first: string;
  readonly after: string;
  /** The row itself. */
  readonly subject: string;
}

class Words {
  readonly #resources: readonly Named[];

  constructor(resources: readonly Named[]) {
    this.#resources = resources;
  }

  of(condition: RowCondition, whose: Whose): string {
    switch (condition.kind) {
      case 'all': {
        const conditions = condition.conditions.filter(({ kind }) => kind !== 'tenant');
        return conditions.length === 0
          ? `${whose.subject} exists`
          : this.#joined({ ...condition, conditions }, 'and', whose);
      }
      case 'tenant':
        return `${whose.subject} exists`;
      case 'any':
        return condition.conditions.length === 0 ? 'never' : this.#joined(condition, 'or', whose);
      case 'not':
        return this.#negated(condition.condition, whose);
      case 'reference':
        return this.of(condition.condition, referredBy(condition.property, whose));
      case 'some':
        return this.#some(condition, 'some', whose);
      default:
        return leaf(condition, whose, false);
    }
  }

  #joined({ conditions }: RowCondition & { kind: 'all' | 'any' }, word: string, whose: Whose): string {
    const parts = conditions.map((one, at) => {
      const text = this.of(one, at === 0 ? whose : { ...whose, first: whose.after });
      const isGroup = (one.kind === 'all' || one.kind === 'any') && one.conditions.length > 1;
      return isGroup ? `(${text})` : text;
    });
    return parts.join(` ${word} `);
  }

  #negated(condition: RowCondition, whose: Whose): string {
    switch (condition.kind) {
      case 'compare':
      case 'in':
      case 'isNull':
        return leaf(condition, whose, true);
      case 'some':
        return this.#some(condition, 'no', whose);
      default:
        return `not (${this.of(condition, whose)})`;
    }
  }

  #some(condition: RowCondition & { kind: 'some' }, some: 'some' | 'no', whose: Whose): string {
    const noun = this.#noun(condition.resource);
    const of = whose.subject === 'it' ? '' : ` of ${whose.subject}`;
    const inner = condition.condition;
    if (inner.kind === 'all' && inner.conditions.every(({ kind }) => kind === 'tenant'))
      return `${some} ${noun}${of} exists`;
    const that = { first: `${some} ${noun}'s`, after: `that ${noun}'s`, subject: `that ${noun}` };
    return this.of(inner, of === '' ? that : { ...that, first: `for ${some} ${noun}${of}, its` });
  }

  /** `OrderItem` → "order item" */
  #noun(key: string): string {
    const name = this.#resources.find((resource) => resource.key === key)?.name ?? key;
    return name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replaceAll(/[._-]+/g, ' ')
      .toLowerCase();
  }
}

/** The row that a property refers to: "its clinic's". */
function referredBy(property: string, { first, after }: Whose): Whose {
  const noun = property
    .replace(/(Id|_id)$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return { first: `${first} ${noun}'s`, after: `${after} ${noun}'s`, subject: `${first} ${noun}` };
}

type Leaf = RowCondition & { kind: 'compare' | 'in' | 'isNull' };

const OPERATORS: Readonly<Record<CompareCondition['operator'], readonly [is: string, isNot: string]>> = {
  eq: ['is', 'is not'],
  gt: ['is greater than', 'is not greater than'],
  gte: ['is at least', 'is not at least'],
  lt: ['is less than', 'is not less than'],
  lte: ['is at most', 'is not at most'],
  contains: ['contains', 'does not contain'],
};

function leaf(condition: Leaf, { first }: Whose, isNegated: boolean): string {
  const name = `${first} \`${condition.property}\``;
  switch (condition.kind) {
    case 'isNull':
      return `${name} ${isNegated ? 'has a value' : 'has no value'}`;
    case 'in':
      return `${name} ${isNegated ? 'is none of' : 'is one of'} ${condition.values.map(valueWords).join(', ') || 'no values'}`;
    case 'compare':
      return `${name} ${OPERATORS[condition.operator][isNegated ? 1 : 0]} ${valueWords(condition.value)}`;
  }
}

const valueWords = (value: RuleValue): string =>
  'claim' in value ? `the caller's \`${value.claim.join('.')}\`` : `\`${String(value.literal)}\``;
