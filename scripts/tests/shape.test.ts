import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LONGEST_LINE = 120
const MOST_PARAMETERS = 4

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

it('AR12 no line of a package is longer than 120 characters, unless by a text or a regular expression', () => {
  const long = sources().flatMap(path =>
    longLines(path, readFileSync(`${ROOT}/${path}`, 'utf8')).map(line => `${path}:${line}`),
  )
  expect(long).toEqual([])
})

it('AR13 no function of a package takes more than four positional parameters', () => {
  expect(sources().flatMap(path => crowded(path, readFileSync(`${ROOT}/${path}`, 'utf8')))).toEqual([])
})

it('AR15 core imports zod as a namespace', () => {
  const named = sources().filter(
    path =>
      path.startsWith('packages/core/') &&
      /^import (type )?(?!\* as|type \* as).* from 'zod'/m.test(readFileSync(`${ROOT}/${path}`, 'utf8')),
  )
  expect(named).toEqual([])
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
])('AR13 the check sees %j', (text, found) => {
  expect(crowded('a.ts', text)).toEqual(found)
})
