/** One file of the documentation. */
export interface SiteFile {
  /** Media type. */
  readonly type: string;
  readonly body: Buffer;
}

/** The documentation of a contract, by path without a leading slash: `index.html`, `docs/rest.html`. */
export interface Site {
  /** Undefined: the file is missing. */
  file(path: string): Promise<SiteFile | undefined>;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  graphql: 'text/plain; charset=utf-8',
  http: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
  gz: 'application/gzip',
  svg: 'image/svg+xml',
};

/** The media type of a file, by its extension. */
export const mediaTypeOf = (path: string): string =>
  TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

/** Generates all files on the first request. If that fails, the next request tries again. */
export function lazySite(make: () => Promise<ReadonlyMap<string, string | Buffer>>): Site {
  let made: Promise<ReadonlyMap<string, string | Buffer>> | undefined;
  return {
    async file(path) {
      made ??= make();
      const files = await made.catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      const body = files.get(path);
      return body === undefined ? undefined : { type: mediaTypeOf(path), body: Buffer.from(body) };
    },
  };
}
