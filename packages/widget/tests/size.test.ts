import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { ESTree } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { literalOf, parseSource, visitAll } from '../../../scripts/source-tree.ts'
import { SHORTENED } from '../../../scripts/widget-files.ts'
import { REPOSITORY } from '../../../scripts/workspace-packages.ts'
import { en } from '../src/chat/words/en.ts'
import { widgetFiles } from './support/site.ts'

const files = await widgetFiles()
const named = (pattern: RegExp): readonly [string, Uint8Array] => {
  const found = [...files].filter(([name]) => pattern.test(name))
  expect(found).toHaveLength(1)
  return found[0] ?? ['', new Uint8Array()]
}
const sizeOf = (pattern: RegExp): number => gzipSync(named(pattern)[1], { level: 9 }).length

test('WI2 the launcher is 3 kB, the chat 20.4 kB, what comes with its first use 4 kB, files 4 kB, what a launcher needs on some pages 3 kB, streams 2 kB, a language 1 kB, voice 3 kB and its call 8 kB at most, with gzip', () => {
  expect(sizeOf(/^colloquy-widget\.js$/)).toBeLessThanOrEqual(3_000)
  expect(sizeOf(/^colloquy-widget-framed\.js$/)).toBeLessThanOrEqual(3_100)
  expect(sizeOf(/\/framed\.js$/)).toBeLessThanOrEqual(2_700)
  expect(sizeOf(/\/frame\.js$/) + sizeOf(/\/inside\.js$/)).toBeLessThanOrEqual(3_000)
  expect(sizeOf(/\/chat\.js$/)).toBeLessThanOrEqual(20_400)
  expect(sizeOf(/\/chat\.js$/)).toBeGreaterThan(9_000)
  expect(sizeOf(/\/more\.js$/)).toBeLessThanOrEqual(4_000)
  expect(sizeOf(/\/files\.js$/)).toBeLessThanOrEqual(4_000)
  expect(sizeOf(/\/sse\.js$/)).toBeLessThanOrEqual(2_000)
  expect(sizeOf(/\/talk\.js$/)).toBeLessThanOrEqual(3_000)
  expect(sizeOf(/\/voice\.js$/) + sizeOf(/\/microphone\.js$/)).toBeLessThanOrEqual(8_000)
  for (const extra of [/\/extra\.js$/, /\/extra-framed\.js$/])
    expect(sizeOf(extra)).toBeLessThanOrEqual(3_000)
  for (const language of ['ar', 'de', 'es', 'fr'])
    expect(sizeOf(new RegExp(`/${language}\\.js$`))).toBeLessThanOrEqual(1_000)
  expect(sizeOf(/\/talk-words\.js$/)).toBeLessThanOrEqual(2_500)
  expect(files.size).toBe(20)
})

test('WI2 what a page loads to listen is 6 kB at most, with its launcher; 5 kB beside it for a frame', () => {
  const extra = sizeOf(/\/extra\.js$/)
  expect(sizeOf(/^colloquy-widget\.js$/) + extra).toBeLessThanOrEqual(6_000)
  const [page, files] = [/^colloquy-frame\.html$/, [/\/extra-framed\.js$/, /\/frame\.js$/]]
  expect([page, ...files].reduce((sum, file) => sum + sizeOf(file), 0)).toBeLessThanOrEqual(5_000)
})

test('WI21 the launcher names the folder of what it loads, and what each file hashes to', () => {
  const launcher = new TextDecoder().decode(named(/^colloquy-widget\.js$/)[1])
  for (const file of [/\/chat\.js$/, /\/extra\.js$/]) {
    const [path, contents] = named(file)
    expect(launcher).toContain(path)
    expect(launcher).toContain(createHash('sha256').update(contents).digest('base64'))
  }
  expect(new Set([...files.keys()].map(name => name.replace(/[^/]+$/, ''))).size).toBe(2)
})

test('WI21 no file has a way to make code of text, or an address of its own', () => {
  for (const [name, contents] of files) {
    const text = new TextDecoder().decode(contents)
    expect(text, name).not.toMatch(
      /\beval\(|new Function|innerHTML|outerHTML|document\.write|insertAdjacentHTML/,
    )
    const addresses = text.match(/https?:\/\/[\w.]+/g) ?? []
    expect(
      addresses.filter(address => address !== 'http://www.w3.org'),
      name,
    ).toEqual([])
  }
})

test('WI2 names that the files shorten stay within the chat', () => {
  const git = [
    'ls-files',
    'packages/widget/src',
    'packages/client/src/messaging',
    'packages/client/src/voice',
  ]
  const sources = execFileSync('git', git, { cwd: REPOSITORY, encoding: 'utf8' }).trim().split('\n')
  // Frames have these, and are read and written as they are.
  const envelope = ['type', 'payload', 'metadata', 'custom', 'id', 'sequence', 'timestamp']
  const quoted = new Set<string>([...Object.keys(en), ...envelope])
  for (const path of sources) {
    const isOfPage = /options\.ts$|mount\.ts$|past\.ts$|wire\.ts$|ports\.ts$/.test(path)
    const { program } = parseSource(path, readFileSync(`${REPOSITORY}/${path}`, 'utf8'))
    visitAll(program, node => {
      const text = literalOf(node)
      if (text !== null) quoted.add(text)
      // What a page gives or gets.
      for (const member of isOfPage || isGiven(node) ? membersOf(node) : [])
        if ('key' in member && member.key.type === 'Identifier') quoted.add(member.key.name)
    })
  }
  expect(quoted.has('connectorToken')).toBe(true)
  expect(quoted.has('getToken')).toBe(true)
  expect(quoted.has('verified')).toBe(true)
  expect(SHORTENED.filter(name => quoted.has(name))).toEqual([])
})

const isGiven = (node: ESTree.Node): boolean =>
  node.type === 'TSInterfaceDeclaration' && /^(Messaging|Granted)/.test(node.id.name)

function membersOf(node: ESTree.Node): readonly ESTree.TSSignature[] {
  if (node.type === 'TSInterfaceDeclaration') return node.body.body
  return node.type === 'TSTypeLiteral' ? node.members : []
}
