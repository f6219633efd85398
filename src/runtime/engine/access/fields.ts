import { hash } from 'node:crypto';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { FieldAction } from '../../../descriptor/row-access.ts';
import type { Principal } from '../../auth/principal.ts';
import type { AccessRule } from '../resource/access-rule.ts';
import type { FieldRules, FieldView, Permission, ReadableFields } from '../resource/field-rule.ts';
import { rowTest } from '../resource/row-test.ts';
import { perCaller } from './per-caller.ts';
import { compiledRule } from './rules.ts';

/** Undefined for resources whose properties have no rules; `descriptors` are those of all resources, by key. */
export function fieldRules(
  { key, properties }: ResourceDescriptor,
  descriptors: ReadonlyMap<string, ResourceDescriptor>,
): FieldRules | undefined {
  const rulesOf = (action: FieldAction): ReadonlyMap<string, AccessRule> =>
    new Map(
      properties.flatMap(({ name, access }) => {
        const alternatives = access?.[action];
        return alternatives ? [[name, compiledRule(key, alternatives, descriptors)] as const] : [];
      }),
    );
  const [read, write] = [rulesOf('read'), rulesOf('write')];
  if (read.size + write.size === 0) return undefined;
  const permission = (rule: AccessRule, principal: Principal | undefined): Permission => {
    const conditions = rule.conditionsFor(principal);
    return { conditions, test: rowTest(properties, conditions) };
  };
  const viewOf = (principal: Principal | undefined): FieldView | undefined => {
    const limited = new Map<string, ReadableFields>();
    for (const [name, rule] of read) {
      const { conditions, test } = permission(rule, principal);
      if (conditions.length === 0) continue;
      const text = JSON.stringify(conditions);
      const names = [...(limited.get(text)?.names ?? []), name];
      limited.set(text, { names, conditions, test });
    }
    if (limited.size === 0) return undefined;
    const view = [...limited.values()];
    return { limited: view, key: JSON.stringify(view.map(({ names, conditions }) => [names, conditions])) };
  };
  const tags = new Map<string, string>();
  return {
    written: [...write.keys()],
    reads: [...read.values()].flatMap((rule) => [...rule.reads]),
    viewFor: perCaller(viewOf),
    permissionToWrite: (property, principal) => permission(write.get(property)!, principal),
    tagOf(hidden) {
      const text = hidden.join();
      const tag = tags.get(text) ?? hash('sha1', text, 'base64url').slice(0, 8);
      tags.set(text, tag);
      return tag;
    },
  };
}
