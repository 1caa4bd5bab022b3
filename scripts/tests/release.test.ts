import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { objectionsToTag } from '../release-tag.ts'
import { bundledCode, missingFrom, type Sbom, withBundled, withoutFiles } from '../sbom.ts'
import { REPOSITORY, workspacePackages } from '../workspace-packages.ts'

const PACKAGES = workspacePackages().map(({ manifest }) => manifest)
const BUNDLED = bundledCode(PACKAGES)

test('PK26 packages are published from the tag of their version, and none without its repository', () => {
  const repository = { type: 'git', url: 'git+https://git.example/colloquy.git' }
  const core = { name: '@colloquy/core', version: '0.2.0', repository }
  const client = { name: '@colloquy/client', version: '0.1.0', repository }
  expect(objectionsToTag('v0.2.0', [core])).toEqual([])
  expect(objectionsToTag('v0.2.0', [core, client])).toEqual([
    'The tag "v0.2.0" is not the version of all packages: @colloquy/client is 0.1.0. Use v and their version.',
  ])
  for (const tag of ['0.1.0', 'v0.1', 'v0.1.0-rc.1', ''])
    expect(objectionsToTag(tag, [client]), tag).toHaveLength(1)
  expect(objectionsToTag('v0.2.0', [core, { name: '@colloquy/bare', version: '0.2.0' }])).toEqual([
    'These manifests have no "repository", without which npm attests nothing: @colloquy/bare. Set it.',
  ])
  expect(objectionsToTag('v0.1.0', [])).toEqual(['There are no packages. Run this in the repository.'])
})

test('PK26 the tag of this version is that of all packages', () => {
  const told = objectionsToTag(`v${PACKAGES[0]?.version}`, PACKAGES)
  expect(told.filter(objection => objection.startsWith('The tag'))).toEqual([])
})

/** The document of npm for the packages: those, and what they depend on. */
const OF_NPM: Sbom = {
  components: [
    ...PACKAGES.map(({ name, version }) => ({ 'bom-ref': `${name}@${version}`, name, version })),
    ...[...new Set(PACKAGES.flatMap(({ dependencies = {} }) => Object.keys(dependencies)))]
      .filter(name => !name.startsWith('@colloquy/'))
      .map(name => ({ 'bom-ref': `${name}@1.0.0`, name, version: '1.0.0' })),
  ],
  dependencies: PACKAGES.map(({ name, version }) => ({ ref: `${name}@${version}`, dependsOn: [] })),
}

test('PK26 the SBOM has the code of others that builds contain, beside what npm knows', () => {
  expect(BUNDLED.map(({ name }) => name)).toContain('date-fns')
  expect(missingFrom(OF_NPM, PACKAGES, BUNDLED)).toEqual(
    BUNDLED.map(({ name, version }) => `${name}@${version}`),
  )
  const whole = withBundled(OF_NPM, BUNDLED)
  expect(missingFrom(whole, PACKAGES, BUNDLED)).toEqual([])
  const signals = BUNDLED.find(({ name }) => name === '@preact/signals')
  expect(whole.components).toContainEqual({
    'bom-ref': `@preact/signals@${signals?.version}`,
    type: 'library',
    name: '@preact/signals',
    version: signals?.version,
    purl: `pkg:npm/%40preact/signals@${signals?.version}`,
    licenses: [{ license: { id: 'MIT' } }],
  })
  const { dependsOn } = whole.dependencies.find(({ ref }) => ref === signals?.within) ?? {}
  expect(dependsOn).toContain(`@preact/signals@${signals?.version}`)
  expect(withBundled(whole, BUNDLED)).toEqual(whole)
})

test('PK26 the SBOM names no place on the machine that made it', () => {
  const published = { url: 'https://registry.npmjs.org/zod/-/zod-4.6.7.tgz' }
  const externalReferences = [{ url: 'file:/tmp/packed/colloquy-core-0.1.0.tgz' }, published]
  const core = { 'bom-ref': 'core@0.1.0', name: 'core', version: '0.1.0' }
  const made = withoutFiles({ components: [{ ...core, externalReferences }], dependencies: [] })
  expect(made.components).toEqual([{ ...core, externalReferences: [published] }])
})

test('PK26 an SBOM without a package, or without what one depends on, is refused', () => {
  const whole = withBundled(OF_NPM, BUNDLED)
  for (const name of new Set(whole.components.map(one => one.name))) {
    const components = whole.components.filter(one => one.name !== name)
    const missing = missingFrom({ ...whole, components }, PACKAGES, BUNDLED)
    expect(missing.length, name).toBeGreaterThan(0)
    expect(missing.filter(one => one !== name && !one.startsWith(`${name}@`))).toEqual([])
  }
})

test('PK26 the workflow of a release checks the tag, publishes with provenance, and makes the SBOM', () => {
  const workflow = readFileSync(join(REPOSITORY, '.github/workflows/release.yml'), 'utf8')
  const steps = [...workflow.matchAll(/^ +- run: (.*)$/gm)].map(([, command]) => command)
  expect(steps.slice(0, 6)).toEqual([
    'git merge-base --is-ancestor HEAD origin/main',
    '.ci/run',
    'npm run release:tag -- "$GITHUB_REF_NAME"',
    'npm run release:check',
    'npm run sbom -- sbom.json',
    'npm run release',
  ])
  expect(workflow).toContain("tags: ['v*']")
  expect(workflow).toContain("NPM_CONFIG_PROVENANCE: 'true'")
  expect(workflow.match(/id-token: write/g)).toHaveLength(1)
  const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(REPOSITORY, 'package.json'), 'utf8'),
  )
  for (const command of steps)
    if (command?.startsWith('npm run ')) expect(scripts).toHaveProperty([command.split(' ')[2] ?? ''])
  const check = scripts['release:check'] ?? ''
  expect(check).toMatch(/^npm run build && /)
  expect(check).toMatch(/ && npm publish --dry-run --workspaces --ignore-scripts$/)
  for (const campaign of ['packaging', 'api-report']) expect(check).toContain(`${campaign}.campaign.test.ts`)
})
