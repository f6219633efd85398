/** What a rule is about, for people who meet it in a finding. */
export interface RuleText {
  readonly id: string;
  /** What it demands, in one sentence. */
  readonly summary: string;
  /** Why, or what to write instead. */
  readonly advice: string;
}

/** Texts by rule: what it demands, in one sentence; and why, or what to write instead. */
export type RuleTable = Readonly<Record<string, readonly [summary: string, advice: string]>>;
