export { type CommandModel, modelOf } from './model.ts';
export { completionScript, SHELLS } from './shells.ts';
