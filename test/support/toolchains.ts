import { execFileSync } from 'node:child_process';
import { LANGUAGES, type Language } from '../../src/readers/clients/index.ts';

/** Commands that tell whether the tools of a language are there. */
const CHECKS: Readonly<Record<Language, readonly (readonly [command: string, ...args: string[]])[]>> = {
  python: [['python3', '-c', 'import sys, venv; assert sys.version_info >= (3, 11)']],
  go: [['go', 'version']],
  java: [
    ['javac', '-version'],
    ['mvn', '-version'],
  ],
};

/** What is left out without the tools of a language. */
const LEFT_OUT: Readonly<Record<Language, string>> = {
  python: 'its client is not tested, and Schemathesis does not run',
  go: 'its client is not tested',
  java: 'its client is not tested',
};

/** Tells once, before any test, what this machine cannot test. */
export default function reportMissingToolchains(): void {
  for (const language of LANGUAGES)
    if (!hasToolchain(language)) console.warn(`The tools of ${language} are missing: ${LEFT_OUT[language]}.`);
}

/** Whether the client of a language is tested. With `REQUIRE_CLIENTS=true` it is, and its tests fail without the tools. */
export function hasToolchain(language: Language): boolean {
  if (process.env['REQUIRE_CLIENTS'] === 'true') return true;
  try {
    for (const [command, ...args] of CHECKS[language]) execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
