import type { Check } from './rule.ts';

export const RULES: Readonly<Record<string, Check>> = {};
