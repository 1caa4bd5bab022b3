import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { OutputChunk } from 'rolldown'
import { exportedModules, type PackageManifest, type WorkspacePackage } from './workspace-packages.ts'

/**
 * Packages that run on a server alone, whose entry points say in words which optional peer is missing (PK4). Modules for
 * pages are not among them: a bundler names what it cannot find, and the words cost pages a top-level await.
 */
const ON_SERVERS: readonly string[] = [
  '@colloquy/brokers',
  '@colloquy/integrations',
  '@colloquy/voice-gateway',
]

/** `@scope/name/deeper` and `name/deeper` without the deeper part. */
const packageOf = (path: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path

/** The optional peers of a package that are loaded with one of its files. */
function peersOf(
  manifest: PackageManifest,
  chunks: readonly OutputChunk[],
  first: string,
): readonly string[] {
  const loaded = new Set([first])
  const peers = new Set<string>()
  for (const file of loaded)
    for (const path of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) {
      if (chunks.some(({ fileName }) => fileName === path)) loaded.add(path)
      else if (manifest.peerDependenciesMeta?.[packageOf(path)]?.optional === true) peers.add(packageOf(path))
    }
  return [...peers].sort()
}

/**
 * The argument of `npm install`: the newest major version that a range allows, as `prom-client@15`. Before 1.0 a minor
 * version is what a major one is later, as `werift@0.25`.
 */
const installable = (name: string, range = ''): string =>
  `${name}@${/(0\.\d+|\d+)[^^]*$/.exec(range)?.[1] ?? 'latest'}`

/** A module that offers what another one does, and says what to install if that cannot be loaded. */
const loading = (
  entry: string,
  file: string,
  peers: readonly string[],
  install: string,
  names: readonly string[],
) =>
  `const loaded = await import('./${file}').catch(error => {
  const missing = ${JSON.stringify(peers)}.find(name => String(error?.message).includes(\`'\${name}'\`))
  if (error?.code !== 'ERR_MODULE_NOT_FOUND' || missing === undefined) throw error
  throw new Error(\`${entry} needs the package \${missing}, which is not installed. Install it: npm install ${install}.\`, { cause: error })
})
${names.map(name => `export const ${name} = loaded.${name}\n`).join('')}`

/**
 * Lets entry points say which optional peer is missing. An import that stands at the top of a module fails before any of its
 * code runs. So the built entry becomes `index.loaded.js`, and `index.js` imports it.
 */
export function nameMissingPeers(
  { folder, manifest }: WorkspacePackage,
  chunks: readonly OutputChunk[],
): void {
  if (!ON_SERVERS.includes(manifest.name)) return
  for (const [path, { default: target }] of exportedModules(manifest)) {
    const name = target.replace(/^\.\/dist\//, '')
    const peers = peersOf(manifest, chunks, name)
    if (peers.length === 0) continue
    const file = join(folder, target)
    const loaded = file.replace(/\.js$/, '.loaded.js')
    const install = peers.map(name => installable(name, manifest.peerDependencies?.[name])).join(' ')
    const entry = manifest.name + path.slice(1)
    const text = readFileSync(file, 'utf8')
    const exported = chunks.find(({ fileName }) => fileName === name)?.exports ?? []
    renameSync(`${file}.map`, `${loaded}.map`)
    writeFileSync(loaded, text.replace(`${basename(file)}.map`, `${basename(loaded)}.map`))
    writeFileSync(file, loading(entry, basename(loaded), peers, install, exported))
  }
}
