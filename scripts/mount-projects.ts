import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MountName } from '../test-support/src/mounts.ts'
import { PATIENCE } from './patience.ts'
import { REPOSITORY } from './workspace-packages.ts'

/** Every way of mounting that the guide for hosts describes. */
const MOUNTS: readonly MountName[] = [
  ...(['node:http', 'Express 4', 'Express 5', 'Fastify', 'Koa'] as const),
  ...(['Hono', 'Next.js', 'SvelteKit', 'fetch'] as const),
]

const TESTS = 'packages/core/tests'

/** Import of core's tests that send requests. */
const DISPATCHER = /src\/http\/dispatcher\.ts$/

/** Tests of dispatcher options that a mount replaces, and tests that run over every mount anyway. */
const OF_THE_DISPATCHER: readonly string[] = [
  'http/declared-answers.test.ts',
  'http/documents-address.test.ts',
  'messaging/streams.test.ts',
]

/** The tests of core that send requests. */
const sending = (): readonly string[] =>
  readdirSync(join(REPOSITORY, TESTS), { recursive: true, encoding: 'utf8' })
    .filter(
      path => path.endsWith('.test.ts') && !path.endsWith('.campaign.test.ts') && !path.startsWith('fetch/'),
    )
    .filter(path => !OF_THE_DISPATCHER.includes(path))
    .map(path => join(TESTS, path))
    .filter(path => readFileSync(join(REPOSITORY, path), 'utf8').includes("/src/http/dispatcher.ts'"))

/** Gives the tests a dispatcher behind a mount in place of the bare one. */
const behindMount = {
  name: 'behind-mount',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined): string | null =>
    DISPATCHER.test(source) && importer?.includes(`/${TESTS}/`) === true
      ? join(REPOSITORY, 'test-support/src/mounted-dispatcher.ts')
      : null,
}

/** One project for each mount: all HTTP tests of core, sent through it (HT43). */
export const mountProjects = () => {
  const include = [...sending()]
  return MOUNTS.map(mount => ({
    extends: true as const,
    plugins: [behindMount],
    test: {
      name: `mount ${mount.replace(':', ' ')}`,
      include,
      provide: { campaigns: true, mount },
      isolate: false,
      setupFiles: ['./scripts/wait-patiently.ts'],
      expect: { poll: { timeout: PATIENCE } },
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  }))
}
