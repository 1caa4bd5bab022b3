import { defineConfig } from 'vitest/config'

const conditions = ['@colloquy/source']

/** The suite that mutants fail: `store-mutants.campaign.test.ts` runs it. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Ends what hangs: a mutant is found by what it does, never by the time of a busy machine.
  test: { root: import.meta.dirname, include: ['suite.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
})
