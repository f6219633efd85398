/** `lockstep/testing`: serves a contract inside a test, with a clock, ids and signed callers. */
export {
  type CallerClaims,
  type ContractSource,
  compile,
  type ServeOptions,
  serve,
  type TestService,
} from './proving/testing/serve.ts';
export type {
  TestCaller,
  TestGraphqlError,
  TestGraphqlReply,
  TestReply,
  TestRequest,
} from './proving/testing/test-caller.ts';
export { TestClock } from './proving/testing/test-clock.ts';
export type { LogEntry, LoggedError } from './proving/testing/test-log.ts';
