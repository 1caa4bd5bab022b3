import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository, without a trailing slash. */
export const REPOSITORY = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

/** The condition under which the repository's own tools read a package's sources instead of its build. */
export const SOURCE_CONDITION = '@colloquy/source'

/**
 * Returns the conditions of exports by which rolldown finds the sources of packages. It adds `import` or `require` to
 * each: `import` among these would hold for what is required, too.
 */
export const sourceConditions = (...platform: readonly ('node' | 'browser')[]): string[] => [
  SOURCE_CONDITION,
  ...platform,
  'default',
]

/** Files of a package's module. */
interface ExportedModule {
  readonly [SOURCE_CONDITION]: string
  readonly types: string
  readonly default: string
}

/** Fields of a published package's `package.json` that the scripts read. */
export interface PackageManifest {
  readonly name: string
  readonly version: string
  /** By path: a module, or a file as it is. */
  readonly exports: Readonly<Record<string, ExportedModule | string>>
  /** Programs, by name, as their files in `dist`. */
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** The modules that a package exports, each with its path. */
export const exportedModules = ({
  exports,
}: PackageManifest): readonly (readonly [string, ExportedModule])[] =>
  Object.entries(exports).flatMap(([path, target]) => (typeof target === 'string' ? [] : [[path, target]]))

/** A published package and where it lies. */
export interface WorkspacePackage {
  readonly folder: string
  readonly manifest: PackageManifest
}

/** Everything a package needs when it runs: its dependencies and its peers, by name with their ranges. */
export const needsOf = ({ manifest }: WorkspacePackage): Readonly<Record<string, string>> => ({
  ...manifest.dependencies,
  ...manifest.peerDependencies,
})

/**
 * The published packages, each after those of them that it needs. @throws Error when they need each other in a circle
 */
export function workspacePackages(): readonly WorkspacePackage[] {
  const waiting = readdirSync(join(REPOSITORY, 'packages')).map((name): WorkspacePackage => {
    const folder = join(REPOSITORY, 'packages', name)
    return { folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }
  })
  const ordered: WorkspacePackage[] = []
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ manifest }) => manifest.name))
    const ready = waiting.findIndex(one => !Object.keys(needsOf(one)).some(need => names.has(need)))
    if (ready < 0) throw new Error(`These packages need each other in a circle: ${[...names].join(', ')}`)
    ordered.push(...waiting.splice(ready, 1))
  }
  return ordered
}
