import { defineConfig } from 'vitest/config'

const conditions = ['@colloquy/source']

/** The suite that mutants fail: `store-mutants.campaign.test.ts` runs it. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { root: import.meta.dirname, include: ['suite.ts'], testTimeout: 60_000 },
})
