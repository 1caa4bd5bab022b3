import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../../../scripts/workspace-packages.ts'

/** What a page loads of an entry point: its size in bytes, minified and compressed, and files of others. */
async function sizeOf(entry: string) {
  const { metafile, outputFiles } = await build({
    entryPoints: [`packages/client/src/${entry}/index.ts`],
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
  const inputs = Object.keys(metafile.inputs).filter(path => !path.startsWith('packages/client/src/'))
  const imports = Object.values(metafile.outputs).flatMap(output => output.imports)
  return {
    size: gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length,
    outside: [...inputs, ...imports],
  }
}

test.each([
  ['VC14 the messaging client', 'messaging', 12_000],
  ['VC22 the client over streams', 'sse', 2_000],
  ['HC10 the client over HTTP', 'http', 4_200],
  ['HC10 the client of telephony over HTTP', 'telephony', 4_200],
  ['HC10 the client of texts over HTTP', 'texts', 4_200],
  ['HC10 the client of voices over HTTP', 'voices', 4_200],
  ['HC10 the client of outbound calls over HTTP', 'calls', 4_200],
])('%s imports nothing, and is no larger than it may be', async (_, entry, budget) => {
  const { outside, size } = await sizeOf(entry)
  expect(outside).toEqual([])
  expect(size).toBeLessThanOrEqual(budget)
  expect(size).toBeGreaterThan(budget / 4)
})
