import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import type { Symbol as TypeSymbol } from 'typescript/unstable/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUNDLED, BUNDLED_IN_PAGES, LICENSES_FILE, licenseOf } from '../bundled-code.ts'
import { packPackages } from '../pack.ts'
import { run } from '../run.ts'
import { readTypes } from '../type-checker.ts'
import { bundleWidget } from '../widget-files.ts'
import {
  exportedModules,
  needsOf,
  type PackageManifest,
  REPOSITORY,
  type WorkspacePackage,
  workspacePackages,
} from '../workspace-packages.ts'

const require = createRequire(import.meta.url)
const ATTW = join(dirname(require.resolve('@arethetypeswrong/cli/package.json')), 'dist/index.js')

const all = workspacePackages().map(one => ({ ...one, name: one.manifest.name }))
const entryPoints = all.flatMap(({ name, manifest }) =>
  exportedModules(manifest).map(([path]) => name + path.slice(1)),
)

/**
 * A folder outside the repository in which the packages stand as a host has them, and nothing that they did not ask
 * for.
 */
let host: string

/** Unpacks a package, as it would be published, into the host. */
async function install({ folder, manifest }: WorkspacePackage): Promise<void> {
  const target = join(host, 'node_modules', manifest.name)
  await mkdir(target, { recursive: true })
  await run('tar', ['-xzf', tarballOf({ folder, manifest }), '--strip-components=1', '-C', target], host)
}

const tarballOf = ({ manifest }: WorkspacePackage): string =>
  join(host, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`)

/** Lends the host a package of the repository's own installation; the one that `needy`, if any, has for itself. */
async function lend(name: string, needy: WorkspacePackage | undefined): Promise<void> {
  const target = join(host, 'node_modules', name)
  await mkdir(dirname(target), { recursive: true })
  const own = join(needy?.folder ?? REPOSITORY, 'node_modules', name)
  await symlink(existsSync(own) ? own : join(REPOSITORY, 'node_modules', name), target, 'junction')
}

beforeAll(async () => {
  host = await mkdtemp(join(tmpdir(), 'colloquy-host-'))
  await packPackages(host)
  await writeFile(join(host, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await Promise.all(all.map(install))

  const own = new Set(all.map(({ name }) => name))
  const root: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(
    await readFile(join(REPOSITORY, 'package.json'), 'utf8'),
  )
  const types = Object.keys(root.devDependencies).filter(name => name.startsWith('@types/'))
  const needs = new Set([...types, ...all.flatMap(one => Object.keys(needsOf(one)))])
  await Promise.all(
    [...needs]
      .filter(name => !own.has(name))
      .map(name =>
        lend(
          name,
          all.find(one => name in needsOf(one)),
        ),
      ),
  )
})

afterAll(() => rm(host, { recursive: true, force: true }))

describe.each(all)('$name', one => {
  const installed = (path: string): string => join(host, 'node_modules', one.name, path)

  test('PK1 its package holds every file that its manifest exports, its changelog, its readme and the license', async () => {
    const targets = Object.values(one.manifest.exports).flatMap(target =>
      typeof target === 'string' ? [target] : Object.values(target),
    )
    for (const path of [...targets, 'CHANGELOG.md', 'README.md'])
      expect(existsSync(installed(path)), path).toBe(true)
    expect(await readFile(installed('LICENSE'), 'utf8')).toBe(
      await readFile(join(REPOSITORY, 'LICENSE'), 'utf8'),
    )
  })

  test('PK1 its build holds the code of the packages of others that are named, with their licenses', async () => {
    const files = await readdir(installed('dist'), { recursive: true })
    const maps = files.filter(file => file.endsWith('.js.map'))
    const texts = await Promise.all(maps.map(file => readFile(installed(`dist/${file}`), 'utf8')))
    const sources = texts.flatMap((text): string[] => JSON.parse(text).sources)
    const found = sources.flatMap(path => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])
    const named = BUNDLED[one.name] ?? []
    expect([...new Set(found)].sort()).toEqual([...named].sort())
    expect(files.includes(LICENSES_FILE)).toBe(named.length > 0)
    for (const name of named)
      expect(await readFile(installed(`dist/${LICENSES_FILE}`), 'utf8')).toContain(
        licenseOf(join(REPOSITORY, 'node_modules', name)),
      )
    const inPages = Object.entries(BUNDLED_IN_PAGES).find(([name]) => name === one.name)?.[1] ?? []
    const pages = files.filter(file => file.endsWith(`/${LICENSES_FILE}`))
    expect(pages).toHaveLength(inPages.length > 0 ? 1 : 0)
    for (const name of inPages)
      expect(await readFile(installed(`dist/${pages[0]}`), 'utf8')).toContain(
        licenseOf(join(REPOSITORY, 'node_modules', name)),
      )
  })

  test('publint has nothing to say', async () => {
    const tarball = new Uint8Array(await readFile(tarballOf(one))).buffer
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
    expect(messages.map(message => formatMessage(message, pkg ?? {}))).toEqual([])
  })

  test('its types resolve in every way in which an ESM package can be imported', async () => {
    await run(process.execPath, [ATTW, tarballOf(one), '--profile', 'esm-only', '--no-color'], host)
  })
})

describe('a host that installed the packages', () => {
  test('has its schemas taken, which it has made with a copy of zod of its own', async () => {
    const program = `
      import { defineFunction } from '@colloquy/core'
      import { z } from 'zod'
      const parameters = z.object({ day: z.iso.date().describe('The first'), nights: z.int().default(2) })
      const book = defineFunction({ description: 'Book', parameters, execute: (_, args) => args })
      const answer = (await book.prepare({ day: '2026-01-02' }))({})
      const refused = await book.prepare({ day: 'soon' }).catch(error => error.code)
      console.log(JSON.stringify({ described: book.describeParameters(), answer, refused }))`
    const printed = await run(process.execPath, ['--input-type=module', '--eval', program], host)
    expect(JSON.parse(printed)).toMatchObject({
      described: {
        properties: { day: { description: 'The first' }, nights: { default: 2 } },
        required: ['day'],
      },
      answer: { day: '2026-01-02', nights: 2 },
      refused: 'SCHEMA_VALIDATION_FAILED',
    })
  })

  test('loads the same files with each entry point of core that it needs', async () => {
    const dist = join(host, 'node_modules/@colloquy/core/dist')
    const entries = ['index.js', 'runtime.js', 'store.js', 'transport.js']
    const chunks = await Promise.all(entries.map(entry => chunksOf(dist, entry)))
    expect(chunks[0]?.length).toBeGreaterThan(0)
    for (const one of chunks) expect(one).toEqual(chunks[0])
  })

  test.each(['@colloquy/runtime-retrieval', '@colloquy/ws-transport'])(
    'PK26 with a core of another version %s does not load, and says what to install',
    async name => {
      const mixed = await mkdtemp(join(host, 'mixed-'))
      for (const one of ['@colloquy/core', name])
        await cp(join(host, 'node_modules', one), join(mixed, 'node_modules', one), { recursive: true })
      const dist = join(mixed, 'node_modules/@colloquy/core/dist')
      const { version } = JSON.parse(
        await readFile(join(mixed, 'node_modules', name, 'package.json'), 'utf8'),
      )
      let changed = 0
      for (const file of (await readdir(dist)).filter(file => file.endsWith('.js'))) {
        const text = await readFile(join(dist, file), 'utf8')
        const other = text.replace(`VERSION = "${version}"`, 'VERSION = "0.0.1"')
        if (other !== text) changed++
        await writeFile(join(dist, file), other)
      }
      expect(changed).toBe(1)
      const program = `await import('${name}').catch(error => console.log(error.message))`
      expect(await run(process.execPath, ['--input-type=module', '--eval', program], mixed)).toBe(
        `${name} is ${version}, and @colloquy/core is 0.0.1. All packages of Colloquy must have the same version: npm install @colloquy/core@${version}.\n`,
      )
    },
  )

  describe('without any optional peer', () => {
    /** Entry points for tests and for React, whose libraries whoever imports them has anyway. */
    const ELSEWHERE = /\/testing\/|^@colloquy\/client\/react$/
    const MISSING: Readonly<Record<string, readonly [name: string, install: string]>> = {
      '@colloquy/brokers/nats': ['@nats-io/nats-core', '@nats-io/nats-core@3 @nats-io/transport-node@3'],
      '@colloquy/integrations/link-previews': ['htmlparser2', 'htmlparser2@12'],
      '@colloquy/integrations/mcp': ['@modelcontextprotocol/client', '@modelcontextprotocol/client@2'],
      '@colloquy/integrations/opentelemetry': ['@opentelemetry/api', '@opentelemetry/api@1'],
      '@colloquy/integrations/prometheus': ['prom-client', 'prom-client@15'],
      '@colloquy/voice-gateway/webrtc': ['@evan/opus', '@evan/opus@1 werift@0.25'],
    }
    const isNeeded = ({ peerDependencies = {}, peerDependenciesMeta = {} }: PackageManifest, name: string) =>
      name in peerDependencies && peerDependenciesMeta[name]?.optional !== true
    const optional = new Set(
      all
        .flatMap(({ manifest }) => Object.keys(manifest.peerDependenciesMeta ?? {}))
        .filter(name => !name.startsWith('@colloquy/'))
        // One package may need what another one only can use.
        .filter(name => !all.some(({ manifest }) => isNeeded(manifest, name))),
    )
    let bare: string

    beforeAll(async () => {
      bare = await mkdtemp(join(tmpdir(), 'colloquy-bare-'))
      for (const entry of await readdir(join(host, 'node_modules')))
        for (const name of entry.startsWith('@')
          ? (await readdir(join(host, 'node_modules', entry))).map(inner => `${entry}/${inner}`)
          : [entry]) {
          if (optional.has(name)) continue
          const target = join(bare, 'node_modules', name)
          await mkdir(dirname(target), { recursive: true })
          if (name.startsWith('@colloquy/'))
            await cp(join(host, 'node_modules', name), target, { recursive: true })
          else await symlink(await realpath(join(host, 'node_modules', name)), target, 'junction')
        }
    })
    afterAll(() => rm(bare, { recursive: true, force: true }))

    test.each(entryPoints.filter(name => !ELSEWHERE.test(name)))(
      'PK4 %s loads, or says what to install',
      async name => {
        const [missing, install] = MISSING[name] ?? []
        const program = `console.log(await import('${name}').then(() => 'loaded', error => error.message))`
        expect(await run(process.execPath, ['--input-type=module', '--eval', program], bare)).toBe(
          missing === undefined
            ? 'loaded\n'
            : `${name} needs the package ${missing}, which is not installed. Install it: npm install ${install}.\n`,
        )
      },
    )
  })

  test('WI21 has the files of the widget for a script tag in the folder that the package names', async () => {
    const program = `
      import { readdirSync } from 'node:fs'
      import { widgetFolder } from '@colloquy/widget/files'
      console.log(JSON.stringify(readdirSync(widgetFolder, { recursive: true }).sort()))`
    const printed = await run(process.execPath, ['--input-type=module', '--eval', program], host)
    const files: readonly string[] = JSON.parse(printed)
    const folder = dirname(files.find(name => name.includes('/')) ?? '')
    expect(files).toEqual([...(await bundleWidget()).keys(), folder].sort())
  })

  test('PK4 finds at run time every value that the types of an entry point promise and the sources export, and no other', async () => {
    const file = join(host, 'values.ts')
    const names = entryPoints.map((_, n) => `entry${n}`)
    const lines = names.map((name, n) => `import * as ${name} from '${entryPoints[n]}'`)
    await writeFile(file, [...lines, `export const values = { ${names} }`].join('\n'))
    const config = { compilerOptions: HOST_OPTIONS, files: [file] }
    await writeFile(join(host, 'tsconfig.json'), JSON.stringify(config))
    const promised = valuesOf(file)
    const loaded = `{ ${names.map(name => `${name}: Object.keys(${name}).sort()`)} }`
    const script = [...lines, `console.log(JSON.stringify(${loaded}))`].join('\n')
    const printed = await run(process.execPath, ['--input-type=module', '--eval', script], host)
    const found: Record<string, unknown> = JSON.parse(printed)
    expect(promised).toEqual(found)
    for (const [n, name] of entryPoints.entries())
      expect(found[`entry${n}`], name).toEqual(Object.keys(await import(name)).sort())
  })
})

/** The files of a build that are loaded with one of them, without itself. */
async function chunksOf(dist: string, entry: string): Promise<readonly string[]> {
  const loaded = new Set([entry])
  for (const file of loaded) {
    const text = await readFile(join(dist, file), 'utf8')
    for (const [, next = ''] of text.matchAll(
      /^(?:import|export|\}) ?(?:\{[^}]*\} from |from )?"\.\/([^"]+)"/gm,
    ))
      loaded.add(next)
  }
  return [...loaded].filter(file => file !== entry).sort()
}

/** How a strict TypeScript host on Node compiles. */
const HOST_OPTIONS = {
  ...{ module: 'nodenext', target: 'es2022', types: ['node'] },
  ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true },
}

/** The names of what is a value to the types, by the name of the module that the file exports it under. */
function valuesOf(path: string): Record<string, readonly string[]> {
  const { checker, exported } = readTypes(path, join(host, 'tsconfig.json'))
  const fieldsOf = (symbol: TypeSymbol): readonly TypeSymbol[] => {
    const type = checker.getTypeOfSymbol(symbol)
    if (type === undefined) throw new Error(`${symbol.name} has no type.`)
    return checker.getPropertiesOfType(type)
  }
  const entries = fieldsOf(exported('values')).map(
    entry =>
      [
        entry.name,
        fieldsOf(entry)
          .map(({ name }) => name)
          .sort(),
      ] as const,
  )
  return Object.fromEntries(entries)
}
