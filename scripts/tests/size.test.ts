import { join } from 'node:path'
import { build, type OutputChunk } from 'rolldown'
import { expect, it } from 'vitest'
import { textEntry } from '../text-entry.ts'
import { REPOSITORY, sourceConditions } from '../workspace-packages.ts'

const CORE = join(REPOSITORY, 'packages/core')

/** What a bundle of those exports weighs in bytes when it is loaded, and in files that it loads later. */
async function bundled(exports: string, from: string) {
  const { input, plugin } = textEntry(`export ${exports} from './src/${from}'`, CORE)
  const { output } = await build({
    input,
    plugins: [plugin],
    platform: 'neutral',
    resolve: {
      mainFields: ['module', 'main'],
      conditionNames: sourceConditions(),
    },
    write: false,
    logLevel: 'silent',
    output: { format: 'esm', minify: true },
  })
  const chunks = output.filter(file => file.type === 'chunk')
  const now = new Set<OutputChunk>()
  const load = (chunk: OutputChunk): void => {
    if (now.has(chunk)) return
    now.add(chunk)
    for (const next of chunks) if (chunk.imports.includes(next.fileName)) load(next)
  }
  load(output[0])
  const bytes = [...now].reduce((sum, { code }) => sum + Buffer.byteLength(code), 0)
  const documents = chunks.filter(({ moduleIds }) =>
    moduleIds.some(id => /\/(openapi|asyncapi)\.json$/.test(id)),
  )
  return { bytes, documents, loadsDocuments: documents.some(chunk => now.has(chunk)) }
}

it('one helper of core brings no document and little of core', async () => {
  const helper = await bundled('{ isSameHost }', 'transport.ts')
  const host = await bundled('{ createDispatcher, routes }', 'transport.ts')
  expect(helper.loadsDocuments).toBe(false)
  expect(helper.bytes).toBeLessThan(10_000)
  expect(host.documents).toHaveLength(2)
  expect(host.loadsDocuments).toBe(false)
})
