import { afterAll } from 'vitest';
import { endWhatIsLeft } from './clean-up.ts';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24)
  throw new Error(`Tests run on the project's own Node: use npm scripts or npx (this is ${process.version})`);

afterAll(endWhatIsLeft);
