type Impact = 'major' | 'minor' | 'patch';

/** One difference between two OpenAPI documents, as `redocly diff` prints it. */
export interface Difference {
  /** Pointer to where it is met first, through references; `base` and `revision` have those to where it stands. */
  readonly path: string;
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  readonly impact: Impact;
  readonly property?: string;
  readonly verdicts: readonly DifferenceVerdict[];
  readonly base?: { readonly pointer: string; readonly value?: unknown };
  readonly revision?: { readonly pointer: string; readonly value?: unknown };
}

/** Why a difference breaks clients. */
export interface DifferenceVerdict {
  readonly ruleId: string;
  readonly impact: Impact;
  readonly message: string;
  /** Where, in the file of one of the two documents; where the difference is, if left out. */
  readonly location?: { readonly file: string; readonly pointer: string };
}
