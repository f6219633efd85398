/** A module of a generated folder; an image has its own in its place, which knows all of them. */
export const generatedModule = <T>(folder: URL, name: string): Promise<T> =>
  import(new URL(name, folder).href) as Promise<T>;
