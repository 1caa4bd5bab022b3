import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportedModules, REPOSITORY, SOURCE_CONDITION, workspacePackages } from '../workspace-packages.ts'

/** The Node that the repository asks for is that of all packages. */
const { author, engines, license } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))
const text = readFileSync(join(REPOSITORY, 'LICENSE'), 'utf8')

/** What every manifest says. */
const SHARED = {
  version: workspacePackages()[0]?.manifest.version,
  ...{ author, engines, license },
  type: 'module',
  sideEffects: false,
  publishConfig: { access: 'public', provenance: true },
  scripts: { build: 'node --conditions=@colloquy/source ../../scripts/build.ts .' },
}

/** The order of fields, so that two manifests can be compared line by line. */
const ORDER = [
  ...['name', 'version', 'description', 'license', 'author', 'keywords', 'type', 'sideEffects', 'engines'],
  ...['files', 'publishConfig', 'bin', 'exports', 'scripts', 'dependencies', 'peerDependencies'],
  ...['peerDependenciesMeta', 'devDependencies'],
]

test.each(workspacePackages())(
  '$manifest.name says what all packages say, and is published with its provenance',
  ({ folder, manifest }) => {
    const said: Readonly<Record<string, unknown>> = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    expect(said).toMatchObject(SHARED)
    expect(said.files).toEqual(expect.arrayContaining(['dist', 'src']))
    expect(Object.keys(said)).toEqual(ORDER.filter(name => name in said))
    for (const [, target] of exportedModules(manifest)) {
      const path = target.default.replace(/^\.\/dist\//, '').replace(/\.js$/, '')
      expect(Object.entries(target)).toEqual([
        [SOURCE_CONDITION, `./src/${path}.ts`],
        ['types', `./dist/${path}.d.ts`],
        ['default', `./dist/${path}.js`],
      ])
      expect(existsSync(join(folder, target[SOURCE_CONDITION])), path).toBe(true)
    }
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(text)
  },
)
