/** The rules that reading `x-access` may find broken. */
export type AccessRule = 'access-shape' | 'access-name' | 'access-operator' | 'access-value';

/** A node of the document, or one of its keys. */
export interface AccessPlace {
  readonly node: object;
  readonly key?: string | number;
}

/** What is wrong with a rule of row access. */
export interface AccessFault extends AccessPlace {
  readonly rule: AccessRule;
  readonly message: string;
  /** What to write instead; of a name that is not known, those that are. */
  readonly hint: string | UnknownName;
}

interface UnknownName {
  readonly name: string;
  readonly known: readonly string[];
  /** What to write where none of the known ones is near. */
  readonly otherwise?: string;
}
