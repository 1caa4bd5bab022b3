import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BUNDLED, BUNDLED_IN_PAGES, LICENSES_FILE, licenseOf, licensesOf } from '../bundled-code.ts'
import { bundleConsoleWithInputs } from '../console-files.ts'
import { bundleWidgetWithInputs } from '../widget-files.ts'
import { REPOSITORY } from '../workspace-packages.ts'

const BUNDLES = {
  '@colloquy/console': bundleConsoleWithInputs,
  '@colloquy/widget': bundleWidgetWithInputs,
} as const

const BUNDLED_PACKAGES = Object.entries(BUNDLED_IN_PAGES).map(([name, named]) => ({ name, named }))

/** The package of others that a path leads into, if any. */
const packageOf = (path: string): readonly string[] => {
  const parts = path.split(/[\\/]/)
  const at = parts.lastIndexOf('node_modules') + 1
  if (at === 0) return []
  return [parts.slice(at, parts[at]?.startsWith('@') ? at + 2 : at + 1).join('/')]
}

const folderOf = (name: string): string => join(REPOSITORY, 'node_modules', name)

test.each(BUNDLED_PACKAGES)(
  'PK1 the files of $name for browsers hold the code of others that is named, with their licenses',
  async ({ name, named }) => {
    const bundle = BUNDLES[name as keyof typeof BUNDLES]
    const { files, inputs } = await bundle()
    expect(inputs.length).toBeGreaterThan(20)
    expect([...new Set(inputs.flatMap(packageOf))].sort()).toEqual([...named].sort())
    const told = files.get(LICENSES_FILE)
    expect(told === undefined ? null : new TextDecoder().decode(told)).toBe(
      named.length === 0 ? null : named.map(one => licenseOf(folderOf(one))).join('\n'),
    )
  },
)

/** Licenses that ask for no more than that their text goes with the code. */
const PERMISSIVE = ['0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']

test('PK1 code of others that is part of a build has a license that asks for no more than its text', () => {
  const all = Object.values({ ...BUNDLED, ...BUNDLED_IN_PAGES }).flat()
  expect(all).toContain('date-fns')
  const licenses = all.map(name => {
    const { license }: { license?: string } = JSON.parse(
      readFileSync(join(folderOf(name), 'package.json'), 'utf8'),
    )
    return { name, license }
  })
  expect(licenses.filter(({ license = '' }) => !PERMISSIVE.includes(license))).toEqual([])
})

test('PK1 the licenses of a bundle are those of its inputs, each once', () => {
  const inputs = [
    'packages/console/page/main.tsx',
    'node_modules/preact/dist/preact.mjs',
    'node_modules/preact/hooks/dist/hooks.mjs',
    'node_modules/@preact/signals/dist/signals.mjs',
  ]
  expect(licensesOf(inputs, REPOSITORY)).toBe(
    `${licenseOf(folderOf('@preact/signals'))}\n${licenseOf(folderOf('preact'))}`,
  )
  expect(licensesOf(inputs.slice(0, 1), REPOSITORY)).toBeNull()
})
