export {
  type CallerClaims,
  type ContractSource,
  compile,
  type ServeOptions,
  serve,
  type TestJobs,
  type TestService,
} from './serve.ts';
export type { TestCaller, TestGraphqlError, TestGraphqlReply, TestReply, TestRequest } from './test-caller.ts';
export { TestClock } from './test-clock.ts';
export type { LogEntry, LoggedError } from './test-log.ts';
