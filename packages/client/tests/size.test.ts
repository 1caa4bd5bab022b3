import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../../../scripts/workspace-packages.ts'

/** Bytes. */
const BUDGET = 10_000

test('VC14 the messaging client imports nothing, and is 10 kB or less', async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: ['packages/client/src/messaging/index.ts'],
    absWorkingDir: REPOSITORY,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: join(REPOSITORY, 'dist'),
  })
  const inputs = Object.keys(metafile.inputs)
  expect(inputs.filter(path => !path.startsWith('packages/client/src/'))).toEqual([])
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([])
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
  expect(size).toBeLessThanOrEqual(BUDGET)
  expect(size).toBeGreaterThan(BUDGET / 4)
})
