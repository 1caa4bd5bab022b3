import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../../../../scripts/workspace-packages.ts'

test('the hook is 2 kB or less beside React and the client', async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: ['packages/client/src/react/index.ts'],
    absWorkingDir: REPOSITORY,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    external: ['react', './packages/client/src/messaging/index.ts'],
    outdir: 'dist',
  })
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  expect(outside.sort()).toEqual([expect.stringMatching(/client\/src\/messaging\/index\.ts$/), 'react'])
  expect(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length).toBeLessThanOrEqual(2_000)
})
