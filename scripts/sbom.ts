// `npm run sbom -- sbom.json`: writes the SBOM of the packages as a host has them. npm resolves what they ask for, so it
// needs a registry.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { BUNDLED, BUNDLED_IN_PAGES } from './bundled-code.ts'
import { packPackages } from './pack.ts'
import { run } from './run.ts'
import { type PackageManifest, REPOSITORY, workspacePackages } from './workspace-packages.ts'

const componentSchema = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string(),
  externalReferences: z.array(z.looseObject({ url: z.string() })).optional(),
})

/** The parts of a CycloneDX document of npm that are read and changed here. */
const documentSchema = z.looseObject({
  components: z.array(componentSchema),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

/** A CycloneDX document. */
export type Sbom = z.output<typeof documentSchema>

/** A package whose code is part of a build of ours. */
export interface BundledCode {
  /** Name and version of ours, as in `@colloquy/core@0.1.0`. */
  readonly within: string
  readonly name: string
  readonly version: string
  /** SPDX id. */
  readonly license: string
}

/** Leaves out the places on this machine from which npm took packages. */
export const withoutFiles = (document: Sbom): Sbom => ({
  ...document,
  components: document.components.map(({ externalReferences = [], ...component }) => ({
    ...component,
    externalReferences: externalReferences.filter(({ url }) => !url.startsWith('file:')),
  })),
})

/** Adds the code of others that builds contain. npm knows nothing of it. */
export function withBundled(document: Sbom, bundled: readonly BundledCode[]): Sbom {
  const refOf = ({ name, version }: BundledCode): string => `${name}@${version}`
  const known = new Set(document.components.map(component => component['bom-ref']))
  const added = new Map(bundled.filter(one => !known.has(refOf(one))).map(one => [refOf(one), one]))
  const components = [...added].map(([ref, { license, name, version }]) => ({
    'bom-ref': ref,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { id: license } }],
  }))
  const dependencies = document.dependencies.map(one => {
    const inside = bundled.filter(({ within }) => within === one.ref).map(refOf)
    return { ...one, dependsOn: [...new Set([...one.dependsOn, ...inside])] }
  })
  return {
    ...document,
    components: [...document.components, ...components],
    dependencies: [...dependencies, ...[...added.keys()].map(ref => ({ ref, dependsOn: [] }))],
  }
}

/** Returns the packages that the document must have and has not: ours, what they depend on, and bundled code. */
export function missingFrom(
  document: Sbom,
  manifests: readonly PackageManifest[],
  bundled: readonly BundledCode[],
): readonly string[] {
  const refs = new Set(document.components.map(({ name, version }) => `${name}@${version}`))
  const names = new Set(document.components.map(({ name }) => name))
  const needed = new Set(manifests.flatMap(({ dependencies = {} }) => Object.keys(dependencies)))
  const exact = [...manifests, ...bundled].map(({ name, version }) => `${name}@${version}`)
  return [...exact.filter(ref => !refs.has(ref)), ...[...needed].filter(name => !names.has(name))]
}

/** The code of others in the builds of all packages, as it is installed here. */
export function bundledCode(manifests: readonly PackageManifest[]): readonly BundledCode[] {
  return Object.entries({ ...BUNDLED, ...BUNDLED_IN_PAGES }).flatMap(([ours, names]) =>
    names.map(name => {
      const { version, license } = JSON.parse(
        readFileSync(join(REPOSITORY, 'node_modules', name, 'package.json'), 'utf8'),
      )
      const { version: own } = manifests.find(one => one.name === ours) ?? {}
      return { within: `${ours}@${own}`, name, version, license }
    }),
  )
}

/**
 * Makes the SBOM of the packages in an empty folder that asks for all of them.
 * @throws Error when npm leaves out one that must be there
 */
export async function makeSbom(): Promise<Sbom> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-sbom-'))
  try {
    const tarballs = await packPackages(join(folder, 'packed'))
    const manifests = workspacePackages().map(({ manifest }) => manifest)
    const root = { name: 'colloquy', version: manifests[0]?.version, private: true }
    await writeFile(join(folder, 'package.json'), JSON.stringify(root))
    const quiet = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
    await run('npm', ['install', ...quiet, ...tarballs.values()], folder)
    const printed = await run('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], folder)
    const bundled = bundledCode(manifests)
    const document = withBundled(withoutFiles(documentSchema.parse(JSON.parse(printed))), bundled)
    const missing = missingFrom(document, manifests, bundled)
    if (missing.length > 0) throw new Error(`The SBOM must have these packages, too: ${missing.join(', ')}.`)
    return document
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  const file = resolve(process.argv[2] ?? 'sbom.json')
  const document = await makeSbom()
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`)
  console.log(`${document.components.length} components are in ${file}.`)
}
