import { onceResolved } from '../../descriptor/once.ts';

/** One file of the documentation. */
export interface SiteFile {
  /** Media type. */
  readonly type: string;
  readonly body: Buffer;
  /** The body as Brotli (RFC 7932), where it is there. */
  readonly brotli?: Buffer | undefined;
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
  xml: 'application/xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  woff2: 'font/woff2',
  gz: 'application/gzip',
  tgz: 'application/gzip',
  svg: 'image/svg+xml',
};

/** The media type of a file, by its extension. */
export const mediaTypeOf = (path: string): string =>
  TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

/** What a file contains; texts are UTF-8. */
export type SiteContent = string | Buffer;

/** Files by path; what is a function is made when it is asked for. */
export type SiteFiles = ReadonlyMap<string, SiteContent | MakeContent>;
export type MakeContent = () => SiteContent | Promise<SiteContent>;

/** A file of a site, made if need be. */
export const contentAt = async (files: SiteFiles, path: string): Promise<SiteContent | undefined> =>
  contentOf(files.get(path));

/** The content of a file, made if need be. */
export const contentOf = <T>(file: T | (() => T | Promise<T>)): T | Promise<T> =>
  file instanceof Function ? file() : file;

/**
 * Finds out on the first request which files there are. If that fails, the next request tries again. `ahead`: a file that is made then,
 * before it is asked for.
 */
export function lazySite(make: () => Promise<SiteFiles>, ahead?: string): Site {
  const files = onceResolved(async () => {
    const made = await make();
    // What fails is for the one that asks for the file.
    if (ahead !== undefined) setImmediate(() => void contentAt(made, ahead).catch(() => undefined));
    return made;
  });
  return {
    async file(path) {
      const body = await contentAt(await files(), path);
      return body === undefined ? undefined : { type: mediaTypeOf(path), body: Buffer.from(body) };
    },
  };
}
