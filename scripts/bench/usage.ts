/** The resources that a server process has used so far, as `report-usage.mjs` reports them. */
export interface Usage {
  /** Microseconds of CPU time of all threads. */
  readonly cpuMicros: number;
  readonly rssBytes: number;
}
