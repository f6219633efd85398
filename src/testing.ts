/** `lockstep/testing`: serves a contract inside a test, with a clock, ids and signed callers. */
export {
  type CallerClaims,
  type ContractSource,
  compile,
  type ServeOptions,
  serve,
  type TestService,
} from './tools/testing/serve.ts';
export type {
  TestCaller,
  TestGraphqlError,
  TestGraphqlReply,
  TestReply,
  TestRequest,
} from './tools/testing/test-caller.ts';
export { TestClock } from './tools/testing/test-clock.ts';
export type { LogEntry, LoggedError } from './tools/testing/test-log.ts';
