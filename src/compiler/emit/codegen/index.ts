export { type CodegenExtension, type LockstepCodegen, lockstepCodegen } from './lockstep-codegen.ts';
export { codegenPlaces } from './project-codegen.ts';
