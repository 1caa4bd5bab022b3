import type { PackageManifest } from './workspace-packages.ts'

const CORE = '@colloquy/core'

/**
 * Returns code that is put before that of a package that runs on core. With a core of another version the package does
 * not load, and names the remedy (PK26). Returns null for a package that includes core, or does not need it.
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
