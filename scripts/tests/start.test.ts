import { join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../workspace-packages.ts'

/** The bundle of the host of the README, in which only what Node or the registry brings stands outside. */
async function bundle(): Promise<Metafile['outputs']> {
  const { metafile } = await build({
    entryPoints: ['e2e/src/embed.ts'],
    absWorkingDir: REPOSITORY,
    outdir: join(REPOSITORY, 'dist'),
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@colloquy/source'],
    plugins: [
      {
        name: 'packages of others stay outside',
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ path }) =>
            path.startsWith('@colloquy/') ? null : { path, external: true },
          )
        },
      },
    ],
  })
  return metafile.outputs
}

/** The outputs that are loaded with one of them, itself among them: what is imported by a call is not. */
function loadedWith(outputs: Metafile['outputs'], first: string): ReadonlySet<string> {
  const loaded = new Set([first])
  for (const path of loaded)
    for (const { path: next, kind, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) loaded.add(next)
  return loaded
}

const packageOf = (path: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path

test('the host of the README loads these packages when it starts, and no others', async () => {
  const outputs = await bundle()
  const entry = Object.keys(outputs).find(path => outputs[path]?.entryPoint === 'e2e/src/embed.ts') ?? ''
  const loaded = [...loadedWith(outputs, entry)].flatMap(path => outputs[path] ?? [])
  const outside = loaded.flatMap(({ imports }) => imports).filter(({ external }) => external === true)
  const packages = new Set(
    outside.map(({ path }) => packageOf(path)).filter(name => !name.startsWith('node:')),
  )
  expect([...packages].sort()).toEqual([
    '@noble/hashes',
    'better-sqlite3',
    'date-fns',
    'express',
    'lru-cache',
    'ws',
    'zod',
  ])
  const inputs = loaded.flatMap(({ inputs }) => Object.keys(inputs))
  expect(inputs).toContain('packages/core/src/index.ts')
  expect(inputs).not.toContain('packages/core/src/domain/real-time-config/compile-schema.ts')
  expect(Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))).toContain(
    'packages/core/src/domain/real-time-config/compile-schema.ts',
  )
})
