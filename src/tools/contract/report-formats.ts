/** Formats of findings: for people, programs, code scanning (SARIF 2.1.0) and GitHub workflows. */
export const REPORT_FORMATS = ['human', 'json', 'sarif', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
