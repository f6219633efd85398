export { PROBLEM_TYPE, TRANSPORT_CODES } from './error-responses.ts';
