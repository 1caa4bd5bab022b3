/** How long tests wait for what they poll, milliseconds: only what never comes takes longer, on a busy machine too. */
export const PATIENCE = 120_000
