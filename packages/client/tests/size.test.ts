import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'rolldown'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../../../scripts/workspace-packages.ts'

const SOURCES = join(REPOSITORY, 'packages/client/src')

/**
 * What a page loads of an entry point, without what comes with its first use: its size in bytes, minified and
 * compressed, and files of others.
 */
async function sizeOf(entry: string) {
  const { output } = await build({
    input: join(SOURCES, entry, 'index.ts'),
    platform: 'browser',
    transform: { target: 'es2022' },
    write: false,
    output: { format: 'esm', minify: true },
  })
  const chunks = output.filter(file => file.type === 'chunk')
  const loaded = new Set([output[0].fileName])
  // What is imported at once is loaded too, and what that imports.
  for (const file of loaded)
    for (const other of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) loaded.add(other)
  const contents = chunks.filter(({ fileName }) => loaded.has(fileName))
  return {
    size: contents.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0),
    outside: [
      ...chunks.flatMap(({ moduleIds }) => moduleIds).filter(id => !id.startsWith(SOURCES)),
      ...[...loaded].filter(file => !chunks.some(({ fileName }) => fileName === file)),
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
