// Prints what failed according to a report of the test runner: `node failures.mjs REPORT`.
import { readFileSync } from 'node:fs';

const MAX_TESTS = 30;
const MAX_LINES = 25;

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
  const tests = assertionResults.filter((test) => test.status === 'failed');
  if (tests.length > 0) return tests.map((test) => [`${name}: ${test.fullName}`, test.failureMessages.join('\n')]);
  return status === 'failed' ? [[name, message]] : [];
});
for (const [name, message] of failed.slice(0, MAX_TESTS)) {
  const lines = message.split('\n').slice(0, MAX_LINES);
  console.log([`-- ${name}`, ...lines.map((line) => `   ${line}`)].join('\n'));
}
if (failed.length > MAX_TESTS) console.log(`-- and ${failed.length - MAX_TESTS} more`);
