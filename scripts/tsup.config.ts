import { readFileSync } from 'node:fs'
import { defineConfig } from 'tsup'
import { BUNDLED, licensesBeside } from './bundled-code.ts'
import { writeConsole } from './console-files.ts'
import { oneChunk } from './one-chunk.ts'
import { optionalPeers } from './optional-peers.ts'
import { sameVersionCheck } from './same-version.ts'
import { writeWidget } from './widget-files.ts'
import { exportedModules, type PackageManifest, SOURCE_CONDITION } from './workspace-packages.ts'

/**
 * One build for every published package, run in the package's folder: ESM only, types beside it, dependencies left
 * outside but for those that `bundled-code.ts` names. The entries are the manifest's exports and programs; the maps point to the sources, which the package ships.
 */
const manifest: PackageManifest = JSON.parse(readFileSync('package.json', 'utf8'))

const sources = [
  ...exportedModules(manifest).map(([, target]) => target[SOURCE_CONDITION]),
  ...Object.values(manifest.bin ?? {}).map(file => file.replace(/^dist\//, './src/').replace(/\.js$/, '.ts')),
]
const entry = Object.fromEntries(
  sources.map(source => [source.replace(/^\.\/src\//, '').replace(/\.ts$/, ''), source]),
)

const check = sameVersionCheck(manifest)
const peers = optionalPeers(manifest)

/** Files for pages stand beside those for bundlers and Node. */
const PAGES: Readonly<Record<string, () => Promise<void>>> = {
  '@colloquy/console': writeConsole,
  '@colloquy/widget': writeWidget,
}

export default defineConfig({
  entry,
  format: 'esm',
  target: 'node22',
  platform: 'node',
  // tsup sets `baseUrl`, which TypeScript 6 calls deprecated. The own packages' types are read from their `dist`, as
  // users do.
  dts: { compilerOptions: { ignoreDeprecations: '6.0', noEmit: false, customConditions: [] } },
  sourcemap: true,
  noExternal: [...(BUNDLED[manifest.name] ?? [])],
  esbuildPlugins: [oneChunk(manifest.name), licensesBeside, peers.plugin],
  esbuildOptions: options => {
    options.sourcesContent = false
    options.metafile = true
  },
  ...(check === null ? {} : { banner: { js: check } }),
  clean: true,
  silent: true,
  onSuccess: async () => {
    peers.rewrite()
    await PAGES[manifest.name]?.()
  },
})
