import type { OpenApiDocument, SecurityScheme } from '../../descriptor/document.ts';

/** The security schemes that a document declares, by name. */
export const securitySchemes = ({ components }: OpenApiDocument): Readonly<Record<string, SecurityScheme>> =>
  components?.securitySchemes ?? {};

/** Whether a scheme takes bearer tokens. */
export const isBearer = ({ type, scheme }: SecurityScheme): boolean =>
  type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && scheme?.toLowerCase() === 'bearer');
