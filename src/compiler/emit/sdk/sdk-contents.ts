import { contentOf, essenceOf, kindOf } from '../../../descriptor/content.ts';
import type { MediaType, OpenApiDocument, Parameter } from '../../../descriptor/document.ts';
import type { OperationModel } from '../../model/model.ts';
import { formParameters } from '../../model/rest/describe-parameter.ts';

const JSON_TYPE = 'application/json';

/** How the client writes the bodies of an operation, if it is not as `application/json` alone. */
export function bodiesOf(document: OpenApiDocument, { body }: OperationModel): { readonly bodies?: object } {
  const content = contentOf(document, body?.content);
  const types = Object.keys(content).sort((one, other) => Number(other === JSON_TYPE) - Number(one === JSON_TYPE));
  if (types.length === 0 || types.join() === JSON_TYPE) return {};
  return { bodies: Object.fromEntries(types.map((type) => [type, formatOf(document, type, content[type]!)])) };
}

function formatOf(document: OpenApiDocument, type: string, media: MediaType): object {
  const kind = kindOf(document, type, media);
  if (kind === 'json') return {};
  if (kind === 'form') return { kind, styles: stylesOfForm(formParameters(document, media)) };
  if (kind !== 'multipart') return { kind };
  // A type that leaves a choice is the file's own.
  const types = Object.entries(media.encoding ?? {}).flatMap(([name, { contentType }]) =>
    contentType === undefined || /[*,]/.test(contentType) ? [] : [[name, contentType] as const],
  );
  return { kind, ...(types.length > 0 && { parts: Object.fromEntries(types) }) };
}

/** Fields are written as those of a query are by default: a list is repeated. */
const stylesOfForm = (fields: readonly Parameter[]): object =>
  Object.fromEntries(
    fields.map(({ name, content, style = 'form', explode = style === 'form' }) => [
      name,
      content ? { style: 'json', explode: false } : { style, explode },
    ]),
  );

/** How the client reads what stands for success, if it is not JSON; `redirects`: a redirection does. */
export function answersOf(
  document: OpenApiDocument,
  { responses }: OperationModel,
): { readonly parseAs?: 'text' | 'blob' | 'any'; readonly redirects?: true } {
  const statuses = [...responses.keys()];
  const ofClass = (form: RegExp) => statuses.filter((status) => form.test(status));
  const successes = [/^2/, /^default$/, /^3/].map(ofClass).find((found) => found.length > 0) ?? [];
  const redirects = successes.some((status) => status.startsWith('3')) && ({ redirects: true } as const);
  const kinds = new Set(
    successes.flatMap((status) =>
      Object.entries(contentOf(document, responses.get(status)?.content)).map(
        ([type, media]) => READ_AS[kindOf(document, essenceOf(type), media)],
      ),
    ),
  );
  const [kind] = kinds;
  if (kinds.size > 1) return { parseAs: 'any', ...redirects };
  return { ...(kind !== undefined && kind !== 'json' && { parseAs: kind }), ...redirects };
}

const READ_AS = { json: 'json', text: 'text', form: 'text', multipart: 'blob', binary: 'blob' } as const;
