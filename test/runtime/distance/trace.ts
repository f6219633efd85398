import { Session } from 'node:inspector/promises';
import type { CalledFiles } from './called-files.ts';

// Loaded into a server by `--import`: replies to `called` with what has run since that was asked last.

const OWN_FILE = /\/((?:src|generated)\/.*)$/;

if (process.send) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  process.on('message', async (message) => {
    if (message !== 'called') return;
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const files: Record<string, readonly string[]> = {};
    for (const { url, functions } of result) {
      const file = url.includes('/node_modules/') ? undefined : OWN_FILE.exec(url)?.[1];
      const called = functions.filter(({ functionName, ranges: [whole] }) => {
        const isModule = functionName === '' && whole!.startOffset === 0;
        return !isModule && whole!.count > 0;
      });
      if (file && called.length > 0) files[file] = called.map(({ functionName }) => functionName);
    }
    process.send!(files satisfies CalledFiles);
  });
}
