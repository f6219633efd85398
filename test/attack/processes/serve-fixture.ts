import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { boot } from '../../../src/runtime/boot.ts';
import { readConfig } from '../../../src/runtime/settings/config.ts';

/** A process that serves the contract of the folder `CONTRACTS`, as `src/main.ts` serves the generated one. */
const { model } = await modelContract(process.env['CONTRACTS']!);
await boot({ config: readConfig(process.env), contract: model! });
