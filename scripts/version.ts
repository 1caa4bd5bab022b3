import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { run } from './run.ts'
import { REPOSITORY, workspacePackages } from './workspace-packages.ts'

// `npm run version`: makes of the changesets the next version of all packages, and their changelogs. The packages ask
// for exactly their own version of each other. To the tool, every release would then leave the range of the release
// before, and be a major one: it sees no range, and the exact one is written after it. Manifests name the repository
// that the release is made in, so that links in a README and the provenance of its build lead there.

const ROOT = process.argv[2] ?? REPOSITORY
const CHANGESET = join(REPOSITORY, 'node_modules/@changesets/cli/bin.js')
const OWN = /^@colloquy\//

type Ranges = Record<string, string>

interface Manifest {
  readonly version: string
  readonly peerDependencies?: Ranges
}

/** Writes the manifests of all packages anew. */
function writeManifests(change: (manifest: Manifest, folder: string) => object): void {
  for (const { folder } of workspacePackages(ROOT)) {
    const file = join(folder, 'package.json')
    const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, `${JSON.stringify({ ...manifest, ...change(manifest, folder) }, null, 2)}\n`)
  }
}

/** The ranges in which a package asks for others, with that of our own. */
function peersOf({ peerDependencies }: Manifest, own: string): { readonly peerDependencies?: Ranges } {
  if (peerDependencies === undefined) return {}
  const peers = Object.entries(peerDependencies).map(([name, kept]) => [name, OWN.test(name) ? own : kept])
  return { peerDependencies: Object.fromEntries(peers) }
}

/** Where everybody reads the repository, of what git calls it: `git@host:owner/name.git` is `git+https://host/owner/name.git`. */
const publicAddress = (remote: string): string =>
  `git+${remote.replace(/^(?:ssh:\/\/)?[\w.-]+@([^:/]+)[:/]/, 'https://$1/')}`

const remote = await run('git', ['remote', 'get-url', 'origin'], ROOT).catch(() => {
  throw new Error(
    'Packages name their repository, and git knows of none. Name it: git remote add origin <address>.',
  )
})
const url = publicAddress(remote.trim())

writeManifests(manifest => peersOf(manifest, '*'))
await run(process.execPath, [CHANGESET, 'version'], ROOT)
writeManifests((manifest, folder) => ({
  ...peersOf(manifest, manifest.version),
  repository: { type: 'git', url, directory: relative(ROOT, folder).replaceAll('\\', '/') },
}))

const [core] = workspacePackages(ROOT).filter(({ manifest }) => manifest.name === '@colloquy/core')
if (core === undefined) throw new Error('There is no package @colloquy/core.')
const source = join(core.folder, 'src/version.ts')
writeFileSync(source, readFileSync(source, 'utf8').replace(/'[^']+'$/m, `'${core.manifest.version}'`))
console.log(
  `All packages are ${core.manifest.version} now. Next: npm install, npm run document, npm run api-report.`,
)
