/** `lockstep/codegen`: what a project's `codegen.ts` imports. */
export { type CodegenExtension, type LockstepCodegen, lockstepCodegen } from './compiler/emit/codegen/index.ts';
