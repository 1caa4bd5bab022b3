import { mkdir, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { buildWhatIsOld } from './build.ts'
import { run } from './run.ts'
import { REPOSITORY, workspacePackages } from './workspace-packages.ts'

/** The name of the file into which npm packs a package. */
const fileOf = (name: string, version: string): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`

/**
 * Packs every package as it would be published, into a folder. Builds those that are older than their sources first.
 * @returns the tarballs, by the name of the package
 */
export async function packPackages(folder: string): Promise<ReadonlyMap<string, string>> {
  await buildWhatIsOld()
  await mkdir(folder, { recursive: true })
  const manifests = workspacePackages().map(({ manifest }) => manifest)
  const chosen = manifests.flatMap(({ name }) => ['--workspace', name])
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder, ...chosen], REPOSITORY)
  return new Map(manifests.map(({ name, version }) => [name, join(folder, fileOf(name, version))]))
}

// `npm run pack`: the packages for a host that is not in this repository.
if (process.argv[1] === import.meta.filename) {
  const folder = resolve(process.argv[2] ?? join(REPOSITORY, 'packed'))
  await rm(folder, { recursive: true, force: true })
  const { size } = await packPackages(folder)
  const shown = relative(process.cwd(), folder) || folder
  console.log(`${size} packages are in ${shown}. In your own folder: npm install ${folder}/*.tgz`)
}
