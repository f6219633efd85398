import { execFileSync } from 'node:child_process';
import type { Shell } from '../../src/tools/completion/shells.ts';

/** Whether the tests in a shell run. With `REQUIRE_SHELLS=true` they do, and fail without it. */
export function hasShell(shell: Shell): boolean {
  if (process.env['REQUIRE_SHELLS'] === 'true') return true;
  try {
    execFileSync(shell, ['-c', 'true']);
    return true;
  } catch {
    return false;
  }
}
