import type { DatabaseKind } from '../../scale/support/bare-database.ts';
import type { ContractName } from './contracts.ts';
import type { Outcome } from './tally.ts';
import type { Target } from './target.ts';

/** Something that a caller does within the default limits, and that others should not notice. */
export interface Attack {
  /** What attacks with the same row have in common. */
  readonly row: string;
  readonly variant: string;
  readonly contract: ContractName;
  /** Both kinds if left out. */
  readonly databases?: readonly DatabaseKind['name'][];
  /** What it needs is gone afterwards. */
  readonly isDestructive?: boolean;
  run(target: Target): Promise<Outcome>;
}

export const nameOf = ({ row, variant, contract }: Attack): string => `${row}: ${variant} (${contract})`;
