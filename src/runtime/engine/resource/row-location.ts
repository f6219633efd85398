import type { Resource } from './resource.ts';

/** Makes the paths of rows. `collection` is a path with parameters: `/v1/orders/{orderId}/items`. */
export function locationReader(collection: string): Resource['locationOf'] {
  return (params, id) => {
    const path = collection.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    return `${path}/${encodeURIComponent(id)}`;
  };
}
