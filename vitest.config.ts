import { defineConfig } from 'vitest/config'

const conditions = ['@colloquy/source']

/** What explores, storms and fuzzes for long; all other tests are what `npm test` runs. */
const CAMPAIGNS = '*.campaign.test.ts'

/** Tests that start programs of the repository get them as bundles. */
const globalSetup = './scripts/programs/bundle.ts'

export default defineConfig(({ mode }) => {
  /** One project per package: `npx vitest --project core` runs one of them. */
  const project = (name: string, folder: string, options: object = {}) => ({
    extends: true as const,
    test: {
      name,
      include: ['tests', 'src'].map(
        part => `${folder}/${part}/**/${mode === 'campaigns' ? CAMPAIGNS : '*.test.ts'}`,
      ),
      exclude: ['**/node_modules/**', ...(mode === 'campaigns' ? [] : [`**/${CAMPAIGNS}`])],
      testTimeout: 60_000,
      ...options,
      ...(mode === 'campaigns' ? { testTimeout: 300_000 } : {}),
    },
  })

  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      // A host without a log of its own writes to the console: shown where a test fails.
      silent: 'passed-only',
      // All cores: what waits for a process or a disk leaves room for another file.
      maxWorkers: '100%',
      reporters: ['default', './scripts/summary-reporter.ts'],
      projects: [
        project('core', 'packages/core'),
        project('adapter-memory', 'packages/adapter-memory'),
        project('adapter-sqlite', 'packages/adapter-sqlite', { globalSetup }),
        project('http-express', 'packages/http-express'),
        project('ws-transport', 'packages/ws-transport'),
        project('runtime-ai-sdk', 'packages/runtime-ai-sdk'),
        project('runtime-retrieval', 'packages/runtime-retrieval'),
        project('outbound-http', 'packages/outbound-http'),
        project('admin-cli', 'packages/admin-cli', { globalSetup }),
        project('standalone', 'examples/standalone'),
        project('terminal-transport', 'examples/terminal-transport'),
        project('webhook-live-agents', 'examples/webhook-live-agents', { globalSetup }),
        project('cluster', 'examples/cluster', { globalSetup }),
        project('local-embedder', 'examples/local-embedder'),
        project('e2e', 'e2e', { globalSetup, testTimeout: 120_000 }),
        project('repository', 'scripts'),
      ],
    },
  }
})
