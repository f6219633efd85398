/** `lockstep/testing`: serves a contract inside a test, with a clock, ids and signed callers. */
export {
  type CallerClaims,
  type ContractSource,
  compile,
  type LogEntry,
  type LoggedError,
  type ServeOptions,
  serve,
  type TestCaller,
  TestClock,
  type TestGraphqlError,
  type TestGraphqlReply,
  type TestJobs,
  type TestReply,
  type TestRequest,
  type TestService,
} from './proving/testing/index.ts';
