export { declaredErrors, ERROR_CODES } from './catalogue.ts';
