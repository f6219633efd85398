/** Where rows are kept. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

export type DatabaseKind = DatabaseLocation['kind'];
