/** A name that is not taken, with underscores behind it where it would be. */
export const freeName = (name: string, isTaken: (name: string) => boolean): string =>
  isTaken(name) ? freeName(`${name}_`, isTaken) : name;
