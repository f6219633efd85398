export { rulePage, rulesMarkdown, ruleTextOf } from './rule-text.ts';
