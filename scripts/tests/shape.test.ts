import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LONGEST_LINE = 120
const MOST_PARAMETERS = 4
const LONGEST_FUNCTION = 80

const sources = (): readonly string[] =>
  execFileSync('git', ['ls-files', 'packages/*/src/*.ts'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter(file => file.endsWith('.ts'))

const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)

function nodesOf(file: ts.SourceFile): readonly ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return nodes
}

const isLiteral = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isRegularExpressionLiteral(node)

/**
 * Numbers of the lines that are too long, save those that are so by a text or a regular expression: these are not
 * broken.
 */
function longLines(path: string, text: string): readonly number[] {
  const lines = text.split('\n')
  if (lines.every(line => line.length <= LONGEST_LINE)) return []
  const file = parse(path, text)
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line
  const unbroken = new Set<number>()
  for (const literal of nodesOf(file).filter(isLiteral))
    for (let line = lineOf(literal.getStart()); line <= lineOf(literal.end); line += 1) unbroken.add(line)
  return lines.flatMap((line, at) => (line.length > LONGEST_LINE && !unbroken.has(at) ? [at + 1] : []))
}

/** Where functions, methods and types of calls take more positional parameters than a caller can tell apart. */
function crowded(path: string, text: string): readonly string[] {
  const file = parse(path, text)
  return nodesOf(file).flatMap(node => {
    if (!ts.isFunctionLike(node) || node.parameters.length <= MOST_PARAMETERS) return []
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    return [`${path}:${line + 1}`]
  })
}

/** Functions, methods and accessors of more lines than fit a screen; those inside count for it too. */
function longFunctions(path: string, text: string): readonly string[] {
  const file = parse(path, text)
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line
  return nodesOf(file).flatMap(node => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return []
    const lines = lineOf(node.end) - lineOf(node.getStart()) + 1
    const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined)
    return lines > LONGEST_FUNCTION
      ? [`${basename(path)} ${named?.getText() ?? `line ${lineOf(node.getStart()) + 1}`}`]
      : []
  })
}

it('AR12 no line of a package is longer than 120 characters, unless by a text or a regular expression', () => {
  const long = sources().flatMap(path =>
    longLines(path, readFileSync(`${ROOT}/${path}`, 'utf8')).map(line => `${path}:${line}`),
  )
  expect(long).toEqual([])
})

it('AR12 no function of a package takes more than four positional parameters', () => {
  expect(sources().flatMap(path => crowded(path, readFileSync(`${ROOT}/${path}`, 'utf8')))).toEqual([])
})

it('core imports zod as a namespace', () => {
  const named = sources().filter(
    path =>
      path.startsWith('packages/core/') &&
      /^import (type )?(?!\* as|type \* as).* from 'zod'/m.test(readFileSync(`${ROOT}/${path}`, 'utf8')),
  )
  expect(named).toEqual([])
})

/** Every visitor loads it, within a size that a test holds: what closures share costs them no bytes. */
const BROWSER = 'runs in pages'

/** Functions that are longer all the same, by the file and the name, and why. */
const LONG_FOR_A_REASON: Readonly<Record<string, string>> = {
  'create-voice.ts createVoice': BROWSER,
  'index.ts createFiles': BROWSER,
  'index.ts startChat': BROWSER,
  'messaging.ts createMessaging': BROWSER,
  'mount.ts mount': BROWSER,
  'page.ts startChat': BROWSER,
}

it('AR12 no function in the sources of a package is longer than 80 lines, but for those named here', () => {
  const shipped = sources().filter(path => !path.includes('/src/testing/'))
  const long = shipped.flatMap(path => longFunctions(path, readFileSync(`${ROOT}/${path}`, 'utf8')))
  expect(long.sort()).toEqual(Object.keys(LONG_FOR_A_REASON).sort())
})

it.each([
  [`// ${'x '.repeat(60)}`, [1]],
  [`const a = 1\n/** ${'x '.repeat(60)}*/`, [2]],
  [`const a = '${'x '.repeat(60)}'`, []],
  [`const a = /${'x'.repeat(120)}/`, []],
  [`const a = \`b\n${'x '.repeat(60)}\n\``, []],
  ['// short', []],
])('AR12 the check sees %j', (text, found) => {
  expect(longLines('a.ts', text)).toEqual(found)
})

it.each([
  ['function a(b: 1, c: 2, d: 3, e: 4, f: 5) {}', ['a.ts:1']],
  ['const a = { b(c: 1, d: 2, e: 3, f: 4, g: 5) {} }', ['a.ts:1']],
  ['function a(b: 1, c: 2, d: 3, e: 4) {}', []],
])('AR12 the check sees %j', (text, found) => {
  expect(crowded('a.ts', text)).toEqual(found)
})

it.each([
  [`function a() {${'\n'.repeat(79)}}`, []],
  [`function a() {${'\n'.repeat(80)}}`, ['a.ts a']],
  [`const a = async () => {${'\n'.repeat(80)}}`, ['a.ts a']],
  [`class A { b() {${'\n'.repeat(80)}} }`, ['a.ts b']],
  [`class A {${'\n'.repeat(80)}}`, []],
  [`const a = { b: () => c(() => {${'\n'.repeat(80)}}) }`, ['a.ts line 1', 'a.ts line 1']],
])('AR12 the check sees %j', (text, found) => {
  expect(longFunctions('a.ts', text)).toEqual(found)
})
