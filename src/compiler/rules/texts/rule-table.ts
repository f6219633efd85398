/** Texts by rule: what it demands, in one sentence; and why, or what to write instead. */
export type RuleTable = Readonly<Record<string, readonly [summary: string, description: string]>>;
