/** Formats of findings: for people, programs, code scanning (SARIF 2.1.0), GitHub workflows, reviewers, and reports of tests. */
export const REPORT_FORMATS = ['human', 'json', 'sarif', 'github', 'markdown', 'junit'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
