import { join, relative } from 'node:path'
import { build, type OutputChunk } from 'rolldown'
import { expect, test } from 'vitest'
import { REPOSITORY, sourceConditions } from '../workspace-packages.ts'

/** The bundle of the host of the README, in which only what Node or the registry brings stands outside. */
async function bundle(): Promise<readonly OutputChunk[]> {
  const { output } = await build({
    input: join(REPOSITORY, 'e2e/src/embed.ts'),
    platform: 'node',
    resolve: { conditionNames: sourceConditions('node') },
    external: id => /^[^./]/.test(id) && !id.startsWith('@colloquy/'),
    write: false,
    output: { format: 'esm' },
  })
  return output.filter(file => file.type === 'chunk')
}

/** The chunks that are loaded with one of them, itself among them: what is imported by a call is not. */
function loadedWith(chunks: readonly OutputChunk[], first: OutputChunk): readonly OutputChunk[] {
  const loaded = new Set([first])
  for (const { imports } of loaded)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  return [...loaded]
}

const packageOf = (path: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path

test('the host of the README loads these packages when it starts, and no others', async () => {
  const chunks = await bundle()
  const [entry] = chunks
  if (entry === undefined) throw new Error('The bundle is empty.')
  const loaded = loadedWith(chunks, entry)
  const own = new Set(chunks.map(({ fileName }) => fileName))
  const outside = loaded.flatMap(({ imports }) => imports).filter(path => !own.has(path))
  const packages = new Set(outside.map(packageOf).filter(name => !name.startsWith('node:')))
  expect([...packages].sort()).toEqual([
    '@noble/hashes',
    'better-sqlite3',
    'date-fns',
    'express',
    'lru-cache',
    'ws',
    'zod',
  ])
  const sourcesOf = (some: readonly OutputChunk[]) =>
    some.flatMap(({ moduleIds }) => moduleIds.map(id => relative(REPOSITORY, id)))
  const compiler = 'packages/core/src/domain/real-time-config/compile-schema.ts'
  expect(sourcesOf(loaded)).toContain('packages/core/src/platform.ts')
  expect(sourcesOf(loaded)).not.toContain(compiler)
  expect(sourcesOf(chunks)).toContain(compiler)
})
