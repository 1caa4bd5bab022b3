import fc from 'fast-check'

// fast-check chooses a seed for each property, unless a run is to be repeated.
const { COLLOQUY_TEST_SEED } = process.env
if (COLLOQUY_TEST_SEED !== undefined) fc.configureGlobal({ seed: Number(COLLOQUY_TEST_SEED) })
