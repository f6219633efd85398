export { parseCookies } from './cookies.ts';
export { createParametersReader } from './parameters-reader.ts';
