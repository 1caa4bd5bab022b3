import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CREDENTIALS, startedBefore, startStandalone } from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test } from 'vitest'
import { PATIENCE } from '../../scripts/patience.ts'

const GUIDE = fileURLToPath(new URL('../../docs/guides/event-streams.md', import.meta.url))

const blocksOf = (markdown: string, language: string): readonly string[] =>
  Array.from(markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms))
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text)

test('ES1, ES2, ES7 and ES10 the commands of the guide print what it says', async () => {
  const server = await startStandalone(await startedBefore())
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-streams-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const guide = readFileSync(GUIDE, 'utf8')
  const { stdout } = await promisify(execFile)('bash', ['-c', blocksOf(guide, 'sh').join('\n')], {
    cwd: folder,
    timeout: PATIENCE,
    env: { ...process.env, SERVER: server.url, CONNECTOR_TOKEN: CREDENTIALS.COLLOQUY_CONNECTOR_TOKEN },
  })
  const [opening = '', ...printed] = blocksOf(guide, 'text')
  expect(stdout.trim()).toBe(printed.join('').trim())
  const first = readFileSync(join(folder, 'first.txt'), 'utf8')
  const lines = (text: string) => text.trim().split('\n')
  expect(lines(first).slice(0, 2)).toEqual(lines(opening).slice(0, 2))
  expect(lines(first)[4]).toBe(lines(opening)[4])
  expect(readFileSync(join(folder, 'answer.txt'), 'utf8')).toBe('')
  // Together both streams tell the whole log, each event once.
  const ids = lines(`${first}${readFileSync(join(folder, 'second.txt'), 'utf8')}`).flatMap(line => {
    const id = /^id: (\d+)$/.exec(line)?.[1]
    return id === undefined ? [] : [Number(id)]
  })
  expect(ids).toEqual(ids.toSorted((one, other) => one - other))
})
