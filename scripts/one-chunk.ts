import { join } from 'node:path'
import type { Plugin } from 'rolldown'
import type { WorkspacePackage } from './workspace-packages.ts'

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

const ALL = './all-entry-points'
const ALL_ID = `\0${ALL}`

/** Puts what those entry points of a package need into one chunk: each of them reaches all the others. */
export function oneChunk({ folder, manifest: { name } }: WorkspacePackage): Plugin {
  const pathOf = (file: string): string => join(folder, 'src', file)
  const entries = (TOGETHER[name] ?? []).map(pathOf)
  const reaching = [...entries, ...(BESIDE[name] ?? []).map(pathOf)]
  return {
    name: 'one chunk',
    resolveId: id => (id === ALL ? { id: ALL_ID, moduleSideEffects: 'no-treeshake' } : null),
    load: id => (id === ALL_ID ? entries.map(entry => `import ${JSON.stringify(entry)}`).join('\n') : null),
    transform: (code, id) =>
      reaching.includes(id)
        ? { code: `${code}\nimport '${ALL}'\n`, moduleSideEffects: 'no-treeshake' }
        : null,
  }
}
