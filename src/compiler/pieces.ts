/** The checks of the gate: each can run alone. */
export const PIECES = ['lint', 'contract', 'drift', 'changes', 'consumers', 'access', 'migrations'] as const;
export type Piece = (typeof PIECES)[number];
