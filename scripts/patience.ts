/** Time limit of tests that poll, milliseconds. Only an event that never comes takes longer, even on a busy machine. */
export const PATIENCE = 120_000
