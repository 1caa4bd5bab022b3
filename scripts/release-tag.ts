// `npm run release:tag -- v0.1.0`: fails if the packages, as they are, cannot be published from that tag.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspacePackages } from './workspace-packages.ts'

/** The fields of a manifest that a release depends on. */
export interface ReleasedManifest {
  readonly name: string
  readonly version: string
  readonly repository?: unknown
}

/** Returns sentences about what keeps packages from being published from a tag. */
export function objectionsToTag(tag: string, packages: readonly ReleasedManifest[]): readonly string[] {
  const others = packages.filter(({ version }) => `v${version}` !== tag)
  const nowhere = packages.filter(({ repository }) => repository === undefined)
  const versions = others.map(({ name, version }) => `${name} is ${version}`).join(', ')
  const names = nowhere.map(({ name }) => name).join(', ')
  return [
    ...(packages.length > 0 ? [] : ['There are no packages. Run this in the repository.']),
    ...(others.length === 0
      ? []
      : [`The tag "${tag}" is not the version of all packages: ${versions}. Use v and their version.`]),
    ...(nowhere.length === 0
      ? []
      : [`These manifests have no "repository", without which npm attests nothing: ${names}. Set it.`]),
  ]
}

if (process.argv[1] === import.meta.filename) {
  const manifests = workspacePackages().map(
    ({ folder }): ReleasedManifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  )
  const objections = objectionsToTag(process.argv[2] ?? '', manifests)
  for (const objection of objections) console.error(objection)
  process.exitCode = objections.length === 0 ? 0 : 1
}
