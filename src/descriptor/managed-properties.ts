/** The properties that every resource has, and the server sets. Callers choose the id where the contract says so. */
export const MANAGED = ['id', 'version', 'createdAt', 'updatedAt'] as const;
