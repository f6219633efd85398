const MANY = 120;

/** Whether a contract has more operations than one page should list, or one file describe. */
export const isLarge = ({ operations }: { readonly operations: readonly unknown[] }): boolean =>
  operations.length > MANY;
