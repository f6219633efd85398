/** The requests of a proof are the same for the same seed. */
export const DEFAULT_SEED = 20_260_115;
