/** The file of a contract's own tests of access, in its folder. */
export const ACCESS_FILE = 'access.yaml';
