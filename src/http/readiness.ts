/** Whether the server still takes new work; false from the moment it is told to stop. */
export interface Readiness {
  isReady: boolean;
}
