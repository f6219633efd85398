import type { OpenApiDocument } from './document.ts';

/** A name of a package that npm takes. */
export const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
/** A version that all registries of packages take (semver.org). */
export const PACKAGE_VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

/** What `info.x-package` says: a name, or a name, a version or both. */
export function declaredPackage({ info }: OpenApiDocument): { readonly name?: string; readonly version?: string } {
  const given = info['x-package'] as string | object | undefined;
  return typeof given === 'string' ? { name: given } : { ...given };
}

/** The version of the clients' packages: that of `info.x-package`, or the contract's with three numbers, `3.0.0` for `3`. */
export function packageVersionOf(document: OpenApiDocument): string {
  const { version = document.info.version } = declaredPackage(document);
  const numbers = /^v?(\d+(?:\.\d+)?)$/.exec(version)?.[1]?.split('.') ?? [];
  if (numbers.length > 0) return [...numbers, '0', '0'].slice(0, 3).map(Number).join('.');
  return PACKAGE_VERSION.test(version) ? version : '0.0.0';
}
