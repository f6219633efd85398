import { Session } from 'node:inspector/promises';
import { compileContract } from '../../../../src/compiler/compile-contract.ts';

// Run in a process of its own: compiles the contract in a folder twice, and prints how often each function of the compiler was
// called the second time, by name. The first time loads and compiles what both need.

const [folder] = process.argv.slice(2);
await compileContract(folder!);
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const { findings } = await compileContract(folder!);
const { result } = await session.post('Profiler.takePreciseCoverage');
const calls: Record<string, number> = {};
for (const { url, functions } of result)
  if (url.includes('/src/compiler/'))
    for (const { functionName: name, ranges } of functions) calls[name] = (calls[name] ?? 0) + ranges[0]!.count;
console.log(JSON.stringify({ errors: findings.filter(({ severity }) => severity === 'error').length, calls }));
