import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryStore } from '../src/memory/index.ts'
import { createPlatform } from '../src/platform.ts'
import { contextOf } from '../src/platform-context.ts'
import { silentLog } from '../src/ports/log.ts'
import { createFakeClock, createScriptedRuntime } from '../src/testing/index.ts'
import { interfacesOf, readSource, type SourceFacts } from './support/source-file.ts'

/** What each part of core may import: other parts, and packages. A folder is one part, a file beside the folders another. */
const PARTS: Readonly<
  Record<string, { readonly parts: readonly string[]; readonly packages: readonly string[] }>
> = {
  'errors.ts': { parts: [], packages: [] },
  'version.ts': { parts: [], packages: [] },
  domain: {
    parts: ['errors.ts'],
    packages: ['zod', '@noble/hashes', 'ajv-formats', 'date-fns', 'libphonenumber-js', 're2js'],
  },
  ports: { parts: ['domain'], packages: [] },
  store: { parts: ['domain', 'ports'], packages: [] },
  shared: { parts: ['domain', 'ports', 'errors.ts'], packages: [] },
  settings: { parts: ['domain', 'ports', 'errors.ts', 'shared'], packages: ['date-fns', 'zod'] },
  protocol: { parts: ['domain', 'errors.ts', 'settings'], packages: ['zod'] },
  system: { parts: ['ports'], packages: [] },
  guarded: {
    parts: ['domain', 'ports', 'errors.ts', 'settings', 'system', 'shared'],
    packages: ['zod'],
  },
  runtime: { parts: ['domain', 'ports'], packages: ['lru-cache'] },
  schedule: { parts: ['domain', 'ports', 'settings', 'shared'], packages: [] },
  usecases: {
    parts: [
      ...['calls', 'domain', 'ports', 'protocol', 'errors.ts', 'schedule', 'settings', 'shared', 'store'],
    ],
    packages: ['date-fns', 'lru-cache', 'zod', '@noble/hashes'],
  },
  http: {
    parts: [
      ...['domain', 'ports', 'protocol', 'usecases', 'errors.ts', 'settings', 'shared'],
      ...['platform.ts', 'platform-context.ts'],
    ],
    packages: ['zod'],
  },
  fetch: { parts: ['errors.ts', 'http', 'platform.ts', 'shared', 'system'], packages: [] },
  calls: { parts: ['domain', 'errors.ts', 'shared'], packages: ['zod'] },
  'library-calls.ts': { parts: ['calls', 'domain', 'usecases'], packages: [] },
  'platform-context.ts': { parts: ['domain', 'ports', 'usecases'], packages: [] },
  'create-context.ts': { parts: ['usecases', 'schedule', 'settings', 'guarded', 'shared'], packages: [] },
  'platform.ts': {
    parts: [
      'domain',
      'ports',
      'usecases',
      'settings',
      'guarded',
      'shared',
      'library-calls.ts',
      'create-context.ts',
      'platform-context.ts',
    ],
    packages: [],
  },
  'index.ts': {
    parts: [
      ...['domain', 'ports', 'usecases', 'errors.ts', 'settings', 'version.ts'],
      ...['platform.ts', 'system', 'shared'],
    ],
    packages: [],
  },
  'store.ts': { parts: ['domain', 'ports', 'shared', 'store'], packages: [] },
  memory: { parts: ['domain', 'store.ts'], packages: [] },
  broker: { parts: ['errors.ts', 'ports', 'shared', 'system'], packages: [] },
  'json-schema.ts': { parts: ['domain'], packages: [] },
  'transport.ts': { parts: ['domain', 'fetch', 'http', 'protocol', 'shared', 'usecases'], packages: [] },
  'runtime.ts': { parts: ['domain', 'ports', 'guarded', 'runtime', 'shared', 'system'], packages: [] },
  testing: {
    parts: [
      ...['domain', 'ports', 'protocol', 'usecases', 'http', 'errors.ts', 'settings'],
      ...['platform.ts', 'system', 'guarded', 'store'],
    ],
    packages: ['fast-check', 'vitest', 'zod'],
  },
}

/** The parts that may read clocks, set timers and draw random numbers: the system's ports, adapters, and stand-ins for tests. */
const IMPURE_PARTS: readonly string[] = ['broker', 'memory', 'system', 'testing']

const packages = fileURLToPath(new URL('../..', import.meta.url))

/** Paths of a package's sources, relative to its `src`, with forward slashes. */
const sourcesOf = (name: string): readonly string[] =>
  readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .map(path => path.replaceAll(sep, '/'))
    .sort()

const facts = new Map<string, SourceFacts>()

function read(name: string, path: string): SourceFacts {
  const file = join(packages, name, 'src', path)
  const known = facts.get(file) ?? readSource(file)
  facts.set(file, known)
  return known
}
const sourceOf = (path: string): string => readFileSync(join(packages, 'core/src', path), 'utf8')
const isRelative = (specifier: string): boolean => specifier.startsWith('.')
const resolve = (path: string, specifier: string): string => posix.join(dirname(path), specifier)
const partOf = (path: string): string => path.split('/')[0] ?? path
/** `@scope/name/deeper` and `name/deeper` without the deeper part. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const core = sourcesOf('core').map(path => ({ path, ...read('core', path) }))
/** The entry points of core for hosts and for those who extend it. */
const ENTRIES = /^(?:index|store|transport|runtime|domain\/index)\.ts$/

/** Types that TypeScript and its libraries bring. */
const LANGUAGE: ReadonlySet<string> = new Set(
  'AbortSignal AsyncIterable Omit Partial Pick Promise Readonly Record Uint8Array Uint32Array'.split(' '),
)

const others = readdirSync(packages).filter(name => name !== 'core')

/** What is made from core, and served by it. */
const DOCUMENTS = ['../openapi.json', '../asyncapi.json']

/** Why a file of core may not import a specifier; null when it may. */
function objection(path: string, specifier: string): string | null {
  const allowed = PARTS[partOf(path)]
  if (!allowed) return `${path}: no rule for ${partOf(path)}; give it one in this test`
  if (!isRelative(specifier))
    return allowed.packages.includes(packageOf(specifier)) ? null : `${path} imports ${specifier}`
  const target = resolve(path, specifier)
  if (DOCUMENTS.includes(target)) return path === 'http/documents.ts' ? null : `${path} imports ${target}`
  if (partOf(target) === partOf(path) || allowed.parts.includes(partOf(target))) return null
  return `${path} imports ${target}`
}

/** One circle of imports that run, as a path; null when there is none. */
function circle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const done = new Set<string>()
  const walk = (file: string, trail: readonly string[]): readonly string[] | null => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
    if (done.has(file)) return null
    for (const next of graph.get(file) ?? []) {
      const found = walk(next, [...trail, file])
      if (found) return found
    }
    done.add(file)
    return null
  }
  for (const file of graph.keys()) {
    const found = walk(file, [])
    if (found) return found
  }
  return null
}

describe('core', () => {
  test('AR1 each part imports only the parts and packages below it', () => {
    expect(
      core
        .flatMap(({ path, imports }) => imports.map(({ specifier }) => objection(path, specifier)))
        .filter(reason => reason !== null),
    ).toEqual([])
  })

  test('AR1 the table of parts names no part that may import one above it', () => {
    const graph = new Map(Object.entries(PARTS).map(([part, { parts }]) => [part, parts]))
    expect(circle(graph)).toBeNull()
  })

  test('AR1 an import against the direction is noticed', () => {
    expect(objection('domain/agent/merge.ts', '../../ports/clock.ts')).toContain('ports/clock.ts')
    expect(objection('domain/agent/merge.ts', 'node:crypto')).toContain('node:crypto')
    expect(objection('usecases/agents/merge.ts', '../../http/route.ts')).toContain('http/route.ts')
    expect(objection('http/route.ts', 'express')).toContain('express')
    expect(objection('surprise/file.ts', 'zod')).toContain('no rule for surprise')
    expect(objection('domain/agent/merge.ts', '../ids.ts')).toBeNull()
    expect(objection('domain/agent/hash.ts', '@noble/hashes/sha2.js')).toBeNull()
  })

  test('AR1 nothing but the system ports and the testing tools knows a clock, a timer, chance, the console or Node', () => {
    expect(
      core
        .filter(({ path }) => !IMPURE_PARTS.includes(partOf(path)))
        .flatMap(({ path, impurities }) => impurities.map(place => `${path}:${place}`)),
    ).toEqual([])
  })

  test('AR1 an impure line is noticed, and a pure one is not', () => {
    const impure = [
      'const a = Date.now()',
      'const a = globalThis.Date.now()',
      'const a = new Date()',
      'const a = Date()',
      'const a = Math.random()',
      'const now = Date.now',
      'setTimeout(() => {}, 1)',
      'globalThis.setTimeout(() => {}, 1)',
      'const later = { setTimeout }',
      'console.log(1)',
      'const id = crypto.randomUUID()',
      'const signal = AbortSignal.timeout(5)',
      'const b = Buffer.from([])',
      'const e = process.env',
    ]
    const pure = [
      'const a = new Date(now)',
      'const a = Date.UTC(2026, 0)',
      'const a = clock.now()',
      '// Date.now() is not called',
      "const a = 'Math.random()'",
      'const a = { process: 1, console: 2 }',
      'const a = queue.process()',
      'interface Line { process(): void }',
      'const run = async () => turn.process',
    ]
    for (const line of impure) expect(readSource('a.ts', line).impurities, line).not.toEqual([])
    for (const line of pure) expect(readSource('a.ts', line).impurities, line).toEqual([])
  })

  test('no two files of core import each other in a circle, neither what runs nor types', () => {
    const graph = new Map(
      core.map(({ path, imports }) => [
        path,
        imports
          .filter(({ specifier }) => isRelative(specifier))
          .map(({ specifier }) => resolve(path, specifier)),
      ]),
    )
    expect(circle(graph)).toBeNull()
    expect(
      circle(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['a']],
        ]),
      ),
    ).toEqual(['a', 'b', 'c', 'a'])
  })
})

describe('entry points of core', () => {
  /** Files of core that run once `path` is imported, and packages that they import. */
  function loadedBy(path: string): { readonly files: ReadonlySet<string>; readonly packages: Set<string> } {
    const files = new Set<string>()
    const packages = new Set<string>()
    const visit = (file: string): void => {
      if (files.has(file)) return
      files.add(file)
      for (const { specifier, typeOnly } of core.find(one => one.path === file)?.imports ?? []) {
        if (typeOnly) continue
        if (isRelative(specifier)) visit(resolve(file, specifier))
        else packages.add(packageOf(specifier))
      }
    }
    visit(path)
    return { files, packages }
  }

  test('the domain entry point names what it exports, and loads nothing but the domain', () => {
    const text = readFileSync(join(packages, 'core/src/domain/index.ts'), 'utf8')
    expect(text).not.toMatch(/export (type )?\*/)
    const { files, packages: needed } = loadedBy('domain/index.ts')
    expect([...new Set([...files].map(partOf))]).toEqual(['domain'])
    for (const name of needed) expect(PARTS.domain?.packages).toContain(name)
    expect(files.size).toBeGreaterThan(30)
  })

  test('the arbitraries load the domain and fast-check, and no test runner', () => {
    const { files, packages: needed } = loadedBy('testing/arbitraries/index.ts')
    const beyond = [...files].filter(
      file => !file.startsWith('testing/arbitraries/') && partOf(file) !== 'domain',
    )
    expect(beyond).toEqual([])
    expect(needed).toContain('fast-check')
    expect(needed).not.toContain('vitest')
  })

  test('what the contract suites load is noticed', () => {
    expect(loadedBy('testing/contracts/index.ts').packages).toContain('vitest')
  })

  test('the tools for tests load what the platform itself needs, and no test runner', () => {
    const manifest: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
      readFileSync(join(packages, 'core/package.json'), 'utf8'),
    )
    for (const name of loadedBy('testing/index.ts').packages)
      expect(Object.keys(manifest.dependencies)).toContain(name)
  })
})

describe('entry points', () => {
  const DOORS = ['index.ts', 'store.ts', 'transport.ts', 'runtime.ts', 'domain/index.ts'] as const
  const exported = new Map(DOORS.map(path => [path, read('core', path).exports]))

  test('each names what it exports', () => {
    const entries = ['testing/index.ts', 'testing/contracts/index.ts', 'testing/arbitraries/index.ts']
    for (const path of [...DOORS, ...entries]) {
      expect(read('core', path).exports, path).not.toContain('*')
      expect(read('core', path).exports.length, path).toBeGreaterThan(5)
    }
  })

  test('a platform keeps its context to itself', () => {
    const platform = createPlatform({
      store: createMemoryStore(),
      runtime: createScriptedRuntime({}, createFakeClock()),
      log: silentLog,
    })
    onTestFinished(() => platform.close())
    const { store } = contextOf(platform)
    const shown = [platform, platform.as({ name: 'Ada' }), { ...platform }]
    for (const one of shown) {
      expect(contextOf(one).store).toBe(store)
      expect(Object.values(one)).not.toContain(contextOf(one))
      expect(Reflect.ownKeys(one)).not.toContain('context')
    }
    expect(() => contextOf({ closing: new AbortController().signal })).toThrow('createPlatform')
  })

  test('nothing over HTTP reaches a store', () => {
    const reaching = core
      .filter(({ path }) => path.startsWith('http/'))
      .filter(({ path }) => /\bcontextOf\b|\bstore\./.test(sourceOf(path)))
    expect(reaching.map(({ path }) => path)).toEqual([])
  })

  test('a name leads through one of them alone', () => {
    const doors = DOORS.flatMap((one, at) => DOORS.slice(at + 1).map(other => [one, other] as const))
    const twice = doors
      // Hosts find there what calls take and give, also where it belongs to the domain's promise.
      .filter(([one, other]) => !(one === 'index.ts' && other === 'domain/index.ts'))
      .flatMap(([one, other]) => {
        const names = new Set(exported.get(other))
        return (exported.get(one) ?? [])
          .filter(name => names.has(name))
          .map(name => `${name}: ${one}, ${other}`)
      })
    expect(twice).toEqual([])
  })
})

test('each type that a call takes or gives by name has an entry point', () => {
  const exported = new Set(core.filter(({ path }) => ENTRIES.test(path)).flatMap(({ exports }) => exports))
  const named = new Map(core.flatMap(({ path }) => [...interfacesOf(join(packages, 'core/src', path))]))
  // Settings are no call: hosts name a group of them by `Settings['limits']`.
  const own = (named.get('Platform') ?? []).filter(part => !['Settings', 'Platform'].includes(part))
  const parts = own.flatMap(part => [part, ...(named.get(part) ?? [])])
  expect(parts).toEqual(expect.arrayContaining(['Agents', 'TestCases', 'Messaging', 'LiveAgentCallbacks']))
  const reached = parts.flatMap(part => [part, ...(named.get(part) ?? [])])
  expect([...new Set(reached)].filter(name => !exported.has(name) && !LANGUAGE.has(name))).toEqual([])
})

describe('adapters and transports', () => {
  const exportsOf = (name: string): readonly string[] => {
    const manifest: { readonly exports: Readonly<Record<string, unknown>> } = JSON.parse(
      readFileSync(join(packages, name, 'package.json'), 'utf8'),
    )
    return Object.keys(manifest.exports).map(entry => posix.join('@colloquy', name, entry))
  }

  /** A package may read its own version, which a bundle of it takes along. */
  const OWN_MANIFEST = '../package.json'

  /** A program puts parts together, as a host does: it may also use those that its manifest names. */
  const PROGRAM_PARTS: Readonly<Record<string, readonly string[]>> = {
    'admin-cli': ['adapter-sqlite', 'adapter-postgres', 'client', 'integrations'].flatMap(exportsOf),
    // Below Fastify is a server of Node's: the same router reads its requests.
    'http-fastify': exportsOf('http-express'),
    // A chat over the client.
    widget: exportsOf('client'),
    // A runtime over another: the same search and the same words.
    'runtime-ai-sdk': exportsOf('runtime-retrieval'),
    // A socket with sound: the same endpoint and handshake.
    'voice-gateway': exportsOf('ws-transport'),
  }

  test.each(others)('AR1 %s reaches core through its public entry points alone', name => {
    const outside = sourcesOf(name).flatMap(path =>
      read(name, path)
        .imports.map(({ specifier }) => specifier)
        .filter(specifier =>
          isRelative(specifier)
            ? specifier !== OWN_MANIFEST && relative('.', resolve(path, specifier)).startsWith('..')
            : specifier.startsWith('@colloquy/') &&
              ![...exportsOf('core'), ...(PROGRAM_PARTS[name] ?? [])].includes(specifier),
        )
        .map(specifier => `${path} imports ${specifier}`),
    )
    expect(outside).toEqual([])
  })

  test.each(others)('AR1 what %s ships does not use the testing tools', name => {
    const users = sourcesOf(name).filter(path =>
      read(name, path).imports.some(({ specifier }) => specifier.startsWith('@colloquy/core/testing')),
    )
    expect(users).toEqual([])
  })
})
