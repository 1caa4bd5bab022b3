import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'rolldown'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../../../../scripts/workspace-packages.ts'

test('the hook is 2 kB or less beside React and the client', async () => {
  const { output } = await build({
    input: join(REPOSITORY, 'packages/client/src/react/index.ts'),
    external: id => id === 'react' || id.endsWith('/messaging/index.ts'),
    write: false,
    output: { format: 'esm', minify: true },
  })
  const [{ code, imports }, ...others] = output
  expect(others).toEqual([])
  expect([...imports].sort()).toEqual([expect.stringMatching(/messaging\/index\.ts$/), 'react'])
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(2_000)
})
