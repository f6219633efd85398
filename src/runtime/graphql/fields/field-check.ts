import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import { HandlerError } from '../../errors/handler-error.ts';
import type { FieldHandlers } from './custom-resolvers.ts';

/** Throws when a field that needs code has none, or when there is code for a field that takes none. */
export function checkFieldHandlers(
  { fields }: GraphqlDescriptor,
  handlers: FieldHandlers,
  { allowMissing = false }: { readonly allowMissing?: boolean | undefined },
): void {
  const needed = new Set(Object.keys(fields).filter((coordinate) => fields[coordinate]!.kind === 'custom'));
  const given = Object.entries(handlers).flatMap(([type, members = {}]) =>
    Object.keys(members).map((field) => `${type}.${field}`),
  );
  for (const coordinate of given)
    if (!needed.has(coordinate)) throw new HandlerError(`handlers.fields.${coordinate} is no field that takes code`);
  for (const coordinate of needed)
    if (!given.includes(coordinate) && !allowMissing)
      throw new HandlerError(`${coordinate} needs a handler (handlers.fields.${coordinate})`);
}
