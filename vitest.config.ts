import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { AI_SDK_LINES, aiSdkOf } from './scripts/ai-sdk-projects.ts'
import { checkedModule } from './scripts/check-answers.ts'
import { LongestFirst } from './scripts/longest-first.ts'
import { PATIENCE } from './scripts/patience.ts'

const conditions = ['@colloquy/source']

/** Long explorations, storms and fuzzers. All other tests run in `npm test`. */
const CAMPAIGNS = '*.campaign.test.ts'

/** Properties that `npm test` tries few times are tried more often with the campaigns. */
const PROPERTIES = '*.property.test.ts'

/** Tests that start programs of the repository get them as bundles. */
const globalSetup = './scripts/programs/bundle.ts'

/**
 * Files run beside each other: more than there are cores, since tests of programs, servers and sockets wait more than
 * they work.
 */
const AT_ONCE = availableParallelism() + 4

/**
 * The small projects come first, on few workers: each worker loads core for itself, and the checks of `npm test` run
 * beside them.
 */
const few = (campaigns: boolean) => (campaigns ? {} : { maxWorkers: 2, sequence: { groupOrder: 0 } })
const many = (campaigns: boolean) => (campaigns ? {} : { maxWorkers: AT_ONCE, sequence: { groupOrder: 1 } })

/** Gives tests the dispatcher that compares every answer with what its route declares. */
const checkingAnswers = {
  name: 'checking-answers',
  enforce: 'pre',
  resolveId: (source: string, importer: string | undefined) => checkedModule(source, importer ?? null),
} as const

/** A suite of each package that speaks the protocol, with the brand of `TEST_BRAND`. */
const BRANDED: readonly string[] = [
  'packages/admin-cli/tests/over-http.test.ts',
  'packages/integrations/tests/ag-ui/ag-ui.test.ts',
  'packages/client/tests/messaging.test.ts',
  'packages/console/tests/voices.test.ts',
  'packages/client/tests/react/react-18.test.ts',
  'packages/widget/tests/brand.test.ts',
  'examples/terminal-transport/tests/link.test.ts',
]

export default defineConfig(({ mode }) => {
  const campaigns = mode === 'campaigns'

  /**
   * `npx vitest packages/ws-transport` runs what is in a folder. Projects are few: each loads core once for each of its
   * workers, whose files share what is loaded.
   */
  const project = (
    name: string,
    folder: string,
    options: object = {},
    plugins: readonly ReturnType<typeof aiSdkOf>[] = [],
  ) => ({
    extends: true as const,
    plugins: [checkingAnswers, ...plugins],
    test: {
      name,
      include: ['tests', 'src'].flatMap(part =>
        (campaigns ? [CAMPAIGNS, PROPERTIES] : ['*.test.ts']).map(name => `${folder}/${part}/**/${name}`),
      ),
      exclude: ['**/node_modules/**', ...(campaigns ? [] : [`**/${CAMPAIGNS}`])],
      // All that goes by the mode stands here: what is extended is read without it.
      provide: { campaigns },
      // Files share processes and their loaded modules: each leaves the process as it found it. The few campaigns, which
      // fill memory and processors, have a process each.
      isolate: campaigns,
      setupFiles: [
        './scripts/wait-patiently.ts',
        './scripts/seeded.ts',
        './scripts/checked-fetch.ts',
        ...(campaigns ? [] : ['./scripts/leave-no-trace.ts']),
        './scripts/declared-answers.ts',
      ],
      // Ends what hangs: a test that works is never judged by its time, on a busy machine either.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: PATIENCE } },
      globalSetup,
      ...options,
    },
  })

  const anotherBrand = {
    extends: true as const,
    test: {
      name: 'another brand',
      ...few(campaigns),
      include: [...BRANDED],
      provide: { campaigns, brand: { events: 'Acme-Bot', headers: 'AcmeBot' } },
      isolate: false,
      setupFiles: ['./scripts/wait-patiently.ts', './scripts/seeded.ts', './scripts/leave-no-trace.ts'],
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: PATIENCE } },
    },
  }

  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      // A host without a log of its own writes to the console: shown where a test fails.
      silent: 'passed-only',
      // Campaigns keep all cores busy on their own.
      maxWorkers: campaigns ? '100%' : AT_ONCE,
      sequence: { sequencer: LongestFirst },
      reporters: ['default', './scripts/summary-reporter.ts'],
      projects: [
        project('tests', '{packages/*,examples/*,e2e,bench,scripts}', many(campaigns)),
        // The runtime over the older supported versions of the AI SDK.
        ...AI_SDK_LINES.map(line =>
          project(
            line.name,
            'packages/runtime-ai-sdk',
            { provide: { campaigns, aiSdk: line.version }, ...few(campaigns) },
            [aiSdkOf(line)],
          ),
        ),
        // Those who speak the protocol once more, where the host has words of its own.
        ...(campaigns ? [] : [anotherBrand]),
      ],
    },
  }
})
