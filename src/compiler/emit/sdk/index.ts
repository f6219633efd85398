export { emitSdk } from './emit-sdk.ts';
export { errorClassOf } from './sdk-errors.ts';
export { RESERVED_WORDS } from './sdk-names.ts';
export { packageNameOf } from './sdk-package.ts';
export { boundNames, type SdkNames } from './sdk-resources.ts';
