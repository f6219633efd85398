import { type Access, admitsAnonymous } from '../../descriptor/access.ts';
import { basePathOf, serverUrl } from '../../descriptor/base-path.ts';
import { isBearer } from '../../descriptor/bearer.ts';
import type { OpenApiDocument, Parameter, SecurityScheme } from '../../descriptor/document.ts';
import { securityScheme } from '../model/security-schemes.ts';
import { type SampleBody, sampleBody } from './sample-body.ts';
import { type SampleSource, SampleValues } from './sample-values.ts';

/** Where `npm start` serves by default. */
const LOCAL = 'http://127.0.0.1:3000';

export interface SampleParameter {
  readonly name: string;
  readonly value: string;
  /** What the text stands for. */
  readonly given: unknown;
  readonly isRequired: boolean;
}

/** A request made from the examples of the contract. */
export interface SampleRequest {
  readonly operationId: string;
  readonly method: string;
  /** As in the document: `/orders/{orderId}`. */
  readonly path: string;
  readonly inPath: readonly SampleParameter[];
  readonly inQuery: readonly SampleParameter[];
  readonly inHeader: readonly SampleParameter[];
  readonly body: SampleBody | undefined;
  /** Whether it requires a token. */
  readonly needsToken: boolean;
  /** The `sub` that the token must have, if not that of any caller who may. */
  readonly subject: unknown;
  /** What it requires in place of a token, or beside it. */
  readonly keys: readonly SampleKey[];
}

/** Credentials of a scheme that takes no token. */
interface SampleKey {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly value: string;
}

/** The URL of the service: its first server, or this machine. */
export function baseUrlOf(document: OpenApiDocument): string {
  const url = serverUrl(document.servers?.[0]);
  return /^https?:/.test(url) && URL.canParse(url) ? url.replace(/\/+$/, '') : LOCAL + basePathOf(document);
}

/** A request for every operation, in the order of the document. */
export function sampleRequests(source: SampleSource): readonly SampleRequest[] {
  const values = new SampleValues(source);
  return source.operations.map(({ operationId, method, path, access, parameters, body }) => {
    const inPlace = (place: Parameter['in']) =>
      parameters
        .filter((parameter) => parameter.in === place)
        .flatMap((parameter) => samplesOf(values, operationId, parameter));
    return {
      operationId,
      method: method.toUpperCase(),
      path,
      inPath: inPlace('path'),
      inQuery: inPlace('query'),
      inHeader: inPlace('header'),
      body: sampleBody(body, (media) => values.body(operationId, media)),
      subject: values.subject(operationId),
      ...credentialsOf(source.document, access, values.dependOnCaller(operationId, access)),
    };
  });
}

/** Those of the first alternative that tokens alone meet, or else of the first that asks for any. */
function credentialsOf(document: OpenApiDocument, access: Access, dependsOnCaller: boolean) {
  if (admitsAnonymous(access) && !dependsOnCaller) return { needsToken: false, keys: [] };
  const all = access.anyOf.map(({ schemes }) => schemes.map(({ name }) => keyOf(securityScheme(document, name))));
  const asked = all.filter((keys) => keys.length > 0);
  const chosen = asked.find((keys) => keys.every((key) => key === undefined)) ?? asked[0] ?? [];
  return { needsToken: chosen.includes(undefined), keys: chosen.flatMap((key) => key ?? []) };
}

/** A bearer token has none; what the document does not declare is taken for one. */
function keyOf(scheme: SecurityScheme | undefined): SampleKey | undefined {
  if (scheme === undefined || isBearer(scheme)) return undefined;
  if (scheme.type !== 'apiKey')
    return { in: 'header', name: 'Authorization', value: `${scheme.scheme ?? scheme.type} CREDENTIALS` };
  return { in: scheme['in'] as SampleKey['in'], name: String(scheme['name']), value: 'YOUR_KEY' };
}

/** The same by the id of the operation. */
export const requestsById = (source: SampleSource): ReadonlyMap<string, SampleRequest> =>
  new Map(sampleRequests(source).map((request) => [request.operationId, request]));

/** A parameter of style `deepObject`, and an exploded object, is one for each of its members: `price[gte]`. */
function samplesOf(values: SampleValues, operationId: string, parameter: Parameter): readonly SampleParameter[] {
  const members = values.members(parameter);
  if (members === undefined) return [sampleOf(parameter, values.parameter(operationId, parameter))];
  return members.map((member) => sampleOf(member, values.plain(member)));
}

function sampleOf(parameter: Parameter, value: unknown): SampleParameter {
  const { name, required = false } = parameter;
  const text = parameter.in === 'path' ? pathText(parameter, value) : textOf(value);
  return { name, value: text, given: value, isRequired: required };
}

/** As the styles of paths write it (RFC 6570, 3.2). */
function pathText({ name, style = 'simple', explode = false }: Parameter, value: unknown): string {
  const parts = partsOf(value, explode);
  if (style === 'label') return `.${parts.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return parts.join(',');
  if (!explode || typeof value !== 'object') return `;${name}=${parts.join(',')}`;
  return parts.map((part) => (Array.isArray(value) ? `;${name}=${part}` : `;${part}`)).join('');
}

function partsOf(value: unknown, explode: boolean): readonly string[] {
  if (Array.isArray(value)) return value.map(textOf);
  if (typeof value !== 'object' || value === null) return [textOf(value)];
  return Object.entries(value).map(([name, member]) => `${name}${explode ? '=' : ','}${textOf(member)}`);
}

/** As the styles `form` and `simple` write it, without exploding. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
