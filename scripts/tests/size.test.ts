import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { REPOSITORY } from '../workspace-packages.ts'

const CORE = join(REPOSITORY, 'packages/core')

/** What a bundle of those exports weighs in bytes when it is loaded, and in files that it loads later. */
async function bundled(exports: string, from: string) {
  const { outputs } = (
    await build({
      stdin: { contents: `export ${exports} from './src/${from}'`, resolveDir: CORE, loader: 'ts' },
      outdir: join(REPOSITORY, 'node_modules/.cache/colloquy-size'),
      ...{ bundle: true, splitting: true, minify: true, format: 'esm', platform: 'neutral' },
      ...{ mainFields: ['module', 'main'], conditions: ['@colloquy/source'], absWorkingDir: REPOSITORY },
      ...{ write: false, metafile: true, logLevel: 'silent' },
    } as const)
  ).metafile
  const entry = Object.keys(outputs).find(
    file => outputs[file]?.entryPoint !== undefined && /stdin/.test(file),
  )
  if (entry === undefined) throw new Error('The bundle has no entry.')
  const now = new Set<string>()
  const load = (file: string): void => {
    if (now.has(file)) return
    now.add(file)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === 'import-statement') load(path)
  }
  load(entry)
  const holds = (file: string): boolean =>
    Object.keys(outputs[file]?.inputs ?? {}).some(input => /\/(openapi|asyncapi)\.json$/.test(input))
  const bytes = [...now].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0)
  const documents = Object.keys(outputs).filter(holds)
  return { bytes, documents, loadsDocuments: documents.some(file => now.has(file)) }
}

it('one helper of core brings no document and little of core', async () => {
  const helper = await bundled('{ isSameHost }', 'transport.ts')
  const host = await bundled('{ createDispatcher, routes }', 'transport.ts')
  expect(helper.loadsDocuments).toBe(false)
  expect(helper.bytes).toBeLessThan(10_000)
  expect(host.documents).toHaveLength(2)
  expect(host.loadsDocuments).toBe(false)
})
