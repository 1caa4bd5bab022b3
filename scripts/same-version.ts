import type { PackageManifest } from './workspace-packages.ts'

const CORE = '@colloquy/core'

/**
 * What stands before the code of a package that runs on core: with a core of another version it does not load, and says
 * what to do (PK12). Null for a package that brings its core along, or needs none.
 */
export function sameVersionCheck({ name, version, peerDependencies = {} }: PackageManifest): string | null {
  if (!(CORE in peerDependencies)) return null
  const found = `\${colloquyCore.VERSION ?? "an older one"}`
  const told = `${name} is ${version}, and ${CORE} is ${found}. All packages of Colloquy must have the same version: npm install ${CORE}@${version}.`
  return [
    `import * as colloquyCore from "${CORE}";`,
    `if (colloquyCore.VERSION !== "${version}") throw new Error(\`${told}\`);`,
  ].join('\n')
}
