import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * Entry points of which a host loads most when it starts. Built side by side, what they share would fall into a chunk
 * for each set of them that uses it: twenty files, where each costs Node time.
 */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  '@colloquy/core': ['index.ts', 'runtime.ts', 'store.ts', 'transport.ts'],
}

/** Entry points that are loaded beside these, and are to take nothing out of their chunk: they reach all of it. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  '@colloquy/core': ['broker/index.ts'],
}

const ALL = 'all-entry-points'

/** Puts what those entry points of a package need into one chunk: each of them reaches all the others. */
export function oneChunk(name: string): Plugin {
  const together = TOGETHER[name] ?? []
  const source = join(process.cwd(), 'src')
  const entries = together.map(file => join(source, file))
  const reaching = [...entries, ...(BESIDE[name] ?? []).map(file => join(source, file))]
  return {
    name: 'one chunk',
    setup({ onLoad, onResolve }) {
      if (entries.length === 0) return
      onResolve({ filter: new RegExp(`^${ALL}$`) }, () => ({ path: ALL, namespace: ALL, sideEffects: true }))
      onResolve({ filter: /./, namespace: ALL }, ({ path }) => ({ path, sideEffects: true }))
      onLoad({ filter: /./, namespace: ALL }, () => ({
        contents: entries.map(entry => `import ${JSON.stringify(entry)}`).join('\n'),
        resolveDir: source,
      }))
      onLoad({ filter: /[\\/]src[\\/](?:[^\\/]+|broker[\\/]index)\.ts$/ }, async ({ path }) => {
        if (!reaching.includes(path)) return null
        return { contents: `${await readFile(path, 'utf8')}\nimport '${ALL}'\n`, loader: 'ts' }
      })
    },
  }
}
