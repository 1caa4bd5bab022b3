import { writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { type ExternalOption, rolldown } from 'rolldown'
import { BUNDLED, LICENSES_FILE, licensesOf } from './bundled-code.ts'
import { writeConsole } from './console-files.ts'
import { oneChunk } from './one-chunk.ts'
import { nameMissingPeers } from './optional-peers.ts'
import { sameVersionCheck } from './same-version.ts'
import { writeWidget } from './widget-files.ts'
import { exportedModules, SOURCE_CONDITION, type WorkspacePackage } from './workspace-packages.ts'

/** Files for pages stand beside those for bundlers and Node. */
const PAGES: Readonly<Record<string, () => Promise<void>>> = {
  '@colloquy/console': writeConsole,
  '@colloquy/widget': writeWidget,
}

/** The entries of a build, by the name of the file that is made of each. */
const entriesOf = (folder: string, sources: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    sources.map(source => [source.replace(/^\.\/src\//, '').replace(/\.ts$/, ''), join(folder, source)]),
  )

/** Leaves all packages outside but these. */
const packagesBut =
  (inside: readonly string[]): ExternalOption =>
  id =>
    !/^[.\0]/.test(id) && !isAbsolute(id) && !inside.some(name => id === name || id.startsWith(`${name}/`))

/**
 * Builds a package into its `dist`: ESM only, dependencies left outside but for those that `bundled-code.ts`
 * names. The entries are the manifest's exports and programs; the maps point to the sources, which the package ships.
 */
export async function bundlePackage(one: WorkspacePackage): Promise<void> {
  const { folder, manifest } = one
  const dir = join(folder, 'dist')
  const modules = exportedModules(manifest).map(([, target]) => target[SOURCE_CONDITION])
  const programs = Object.values(manifest.bin ?? {}).map(file =>
    file.replace(/^dist\//, './src/').replace(/\.js$/, '.ts'),
  )
  const external = packagesBut(BUNDLED[manifest.name] ?? [])
  const code = await rolldown({
    input: entriesOf(folder, [...modules, ...programs]),
    cwd: folder,
    platform: 'node',
    transform: { target: 'node22' },
    external,
    plugins: [oneChunk(one)],
    experimental: { attachDebugInfo: 'none' },
  })
  const { output } = await code.write({
    ...{ dir, cleanDir: true, entryFileNames: '[name].js', chunkFileNames: 'chunk-[hash].js' },
    ...{ sourcemap: true, sourcemapExcludeSources: true, minifyInternalExports: false },
    comments: { legal: true, annotation: true, jsdoc: false },
    banner: sameVersionCheck(manifest) ?? '',
  })
  await code.close()
  const chunks = output.filter(file => file.type === 'chunk')
  const licenses = licensesOf(
    chunks.flatMap(({ modules }) => Object.keys(modules)),
    folder,
  )
  if (licenses !== null) writeFileSync(join(dir, LICENSES_FILE), licenses)
  nameMissingPeers(one, chunks)
  await PAGES[manifest.name]?.()
}
