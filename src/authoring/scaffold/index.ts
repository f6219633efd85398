export { type AddOptions, addToContract, removeFromContract } from './add-to-contract.ts';
export { addTo } from './addition.ts';
export { handlerStub } from './handler-stub.ts';
export { readAddition } from './read-addition.ts';
export { readRemoval } from './removals.ts';
