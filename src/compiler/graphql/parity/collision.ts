import type { Finding } from '../../findings/finding.ts';
import type { RuleText } from '../../findings/rule-text.ts';

export const NAME_COLLISION: RuleText = {
  id: 'graphql-name-collision',
  summary: 'The names of the contract stay different in GraphQL.',
  advice:
    'GraphQL has only letters, digits and underscores. Rename names that become the same in the OpenAPI document.',
};

export const HINT =
  'Rename one of them: GraphQL has letters, digits and underscores alone. Or leave the operations that need them to REST: `x-parity: { graphql: absent, because: … }`.';

/** Two names that would be one, and the nodes that have them. `isSent`: where callers send values of them. */
export interface Collision {
  readonly finding: Finding;
  readonly nodes: readonly unknown[];
  readonly isSent?: boolean;
}
