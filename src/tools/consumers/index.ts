export { checkConsumers } from './check-consumers.ts';
export { readConsumers } from './read-consumers.ts';
export { relianceOn } from './reliance.ts';
