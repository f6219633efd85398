import type { SecurityScheme } from './document.ts';

/** Whether a scheme takes bearer tokens, which the server verifies by itself. */
export const isBearer = ({ type, scheme }: SecurityScheme): boolean =>
  type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && scheme?.toLowerCase() === 'bearer');
