/** With what the random choices of a campaign begin: `COLLOQUY_TEST_SEED` repeats a run, without it each is another. */
export const SEED = Number(process.env.COLLOQUY_TEST_SEED ?? Date.now() % 1_000_000)
