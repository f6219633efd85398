import type { OpenApiDocument, SecurityScheme } from '../../descriptor/document.ts';

/** The security schemes that a document declares, by name. */
export const securitySchemes = ({ components }: OpenApiDocument): Readonly<Record<string, SecurityScheme>> =>
  components?.securitySchemes ?? {};
