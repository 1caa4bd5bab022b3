import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.ts'
import { REPOSITORY, workspacePackages } from './workspace-packages.ts'

// `npm run version`: makes of the changesets the next version of all packages, and their changelogs. The packages ask
// for exactly their own version of each other. To the tool, every release would then leave the range of the release
// before, and be a major one: it sees no range, and the exact one is written after it.

const ROOT = process.argv[2] ?? REPOSITORY
const CHANGESET = join(REPOSITORY, 'node_modules/@changesets/cli/bin.js')
const OWN = /^@colloquy\//

type Ranges = Record<string, string>

/** Writes the ranges in which packages ask for each other. */
function writePeers(range: (version: string) => string): void {
  for (const { folder } of workspacePackages(ROOT)) {
    const file = join(folder, 'package.json')
    const manifest: { readonly version: string; readonly peerDependencies?: Ranges } = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    const peers = Object.entries(manifest.peerDependencies ?? {})
    if (!peers.some(([name]) => OWN.test(name))) continue
    const written = peers.map(([name, kept]) => [name, OWN.test(name) ? range(manifest.version) : kept])
    const text = JSON.stringify({ ...manifest, peerDependencies: Object.fromEntries(written) }, null, 2)
    writeFileSync(file, `${text}\n`)
  }
}

writePeers(() => '*')
await run(process.execPath, [CHANGESET, 'version'], ROOT)
writePeers(version => version)

const [core] = workspacePackages(ROOT).filter(({ manifest }) => manifest.name === '@colloquy/core')
if (core === undefined) throw new Error('There is no package @colloquy/core.')
const source = join(core.folder, 'src/version.ts')
writeFileSync(source, readFileSync(source, 'utf8').replace(/'[^']+'$/m, `'${core.manifest.version}'`))
console.log(`All packages are ${core.manifest.version} now. Next: npm install, npm run document.`)
