/** The header field with which a write says, and a later read asks, what moment it is about. */
export const CONSISTENCY_TOKEN = 'Consistency-Token';
