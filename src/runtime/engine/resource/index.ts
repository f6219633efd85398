export type { Permission } from './access.ts';
export type { Resource } from './resource.ts';
export { createRowCodec } from './row-codec.ts';
