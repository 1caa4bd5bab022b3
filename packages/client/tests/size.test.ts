import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../../../scripts/workspace-packages.ts'

/**
 * What a page loads of an entry point, without what comes with its first use: its size in bytes, minified and
 * compressed, and files of others.
 */
async function sizeOf(entry: string) {
  const entryPoint = `packages/client/src/${entry}/index.ts`
  const { metafile, outputFiles } = await build({
    entryPoints: [entryPoint],
    absWorkingDir: REPOSITORY,
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: join(REPOSITORY, 'dist'),
  })
  const outputs = Object.entries(metafile.outputs)
  const loaded = new Set(
    outputs.flatMap(([path, output]) => (output.entryPoint === entryPoint ? [path] : [])),
  )
  // What is imported at once is loaded too, and what that imports.
  for (const path of loaded)
    for (const { kind, path: other } of metafile.outputs[path]?.imports ?? [])
      if (kind === 'import-statement') loaded.add(other)
  const contents = outputFiles.filter(({ path }) => loaded.has(relative(REPOSITORY, path)))
  return {
    size: contents.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0),
    outside: [
      ...Object.keys(metafile.inputs).filter(path => !path.startsWith('packages/client/src/')),
      ...outputs.flatMap(([, { imports }]) => imports.filter(({ external }) => external)),
    ],
  }
}

test.each([
  ['VC14 the messaging client', 'messaging', 12_000],
  ['VC14 the client over streams', 'sse', 2_000],
  ['VG50 voice', 'voice', 8_000],
  ['HC1 the client over HTTP', 'http', 4_500],
  ['HC1 the client of telephony over HTTP', 'telephony', 4_500],
  ['HC1 the client of texts over HTTP', 'texts', 4_500],
  ['HC1 the client of voices over HTTP', 'voices', 4_500],
  ['HC1 the client of outbound calls over HTTP', 'calls', 4_500],
])('%s imports nothing, and is no larger than it may be', async (_, entry, budget) => {
  const { outside, size } = await sizeOf(entry)
  expect(outside).toEqual([])
  expect(size).toBeLessThanOrEqual(budget)
  expect(size).toBeGreaterThan(budget / 4)
})
