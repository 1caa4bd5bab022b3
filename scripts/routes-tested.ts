import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { ROUTES_AND_TESTS } from './document/files.ts'
import { chosenTests, NONE, routesAndTestsPage } from './document/routes-and-tests.ts'
import { REPOSITORY } from './workspace-packages.ts'

// `npm run routes-tested` runs the tests that ask routes, and names on the page which of them sees what.

const TESTS = [
  'http',
  'outbound-calls/routes',
  'texts',
  'chat',
  'alerts',
  'telephony',
  'voices',
  'records',
].map(folder => `packages/core/tests/${folder}`)

const seenSchema = z.array(
  z.object({ file: z.string(), title: z.string(), seen: z.array(z.string()).readonly() }),
)

const folder = mkdtempSync(join(tmpdir(), 'routes-tested-'))
try {
  const file = join(folder, 'seen.json')
  execFileSync(join(REPOSITORY, 'node_modules/.bin/vitest'), ['run', ...TESTS], {
    ...{ cwd: REPOSITORY, stdio: 'inherit' },
    env: { ...process.env, COLLOQUY_SEEN_ANSWERS: file },
  })
  const page = routesAndTestsPage(chosenTests(seenSchema.parse(JSON.parse(readFileSync(file, 'utf8')))))
  writeFileSync(join(REPOSITORY, ROUTES_AND_TESTS), page)
  if (page.includes(NONE)) throw new Error(`${ROUTES_AND_TESTS} has statuses that no test sees.`)
} finally {
  rmSync(folder, { recursive: true })
}
