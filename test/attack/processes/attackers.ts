import { getPriority, setPriority } from 'node:os';
import { attacks } from '../rows/attacks.ts';
import { nameOf } from '../support/attack.ts';
import type { AttackMessage } from '../support/messages.ts';
import { Target } from '../support/target.ts';

/** Attackers have machines of their own: here, they leave the processors to the server and to those who watch it. */
const LATER = 10;

// A process of its own, so that what attackers do holds nobody up but the server.
setPriority(getPriority() + LATER);
process.on('message', async (message: AttackMessage) => {
  const attack = attacks.find((one) => nameOf(one) === message.attack)!;
  process.send!(await attack.run(new Target(message)));
});
process.on('disconnect', () => process.exit());
