// Slow: a process is started, killed, and what it has left is removed in real time.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createFakeClock } from '@colloquy/core/testing'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { programArguments } from '../../../scripts/programs/program.ts'
import { MARK, platformIn } from './support/kept-on-disk.ts'

const PART = 960_000
const CHILD = new URL('children/record-forever.ts', import.meta.url)
const begunSchema = z.object({
  accountId: z.string(),
  agentId: z.string(),
  sessionId: z.string(),
})

/** The files below a folder whose bytes hold a text. */
const filesWith = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(one => one.isFile())
    .map(one => join(one.parentPath, one.name))
    .filter(path => existsSync(path) && readFileSync(path).includes(text))

test('RC610 and RC614 after a kill what was kept is there whole, what was not goes, and a removal leaves no byte', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-recorded-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, [...programArguments(CHILD), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>(resolve => void child.on('close', () => resolve()))
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    // In the middle of a later part.
    if (lines.length === 4) child.kill('SIGKILL')
  }
  await gone
  const acknowledged = lines.length - 1
  const { accountId, agentId, sessionId } = begunSchema.parse(JSON.parse(lines[0] ?? ''))

  // Hours later, when what is not recorded is due.
  const clock = createFakeClock(Date.now() + 7_200_000)
  const platform = platformIn(folder, clock)
  onTestFinished(() => platform.close())
  const [recording] = await platform.reading.recordings(accountId, agentId, sessionId)
  const parts = recording?.parts ?? 0
  expect([recording?.end, recording?.bytes]).toEqual([null, parts * PART])
  // One more may have been kept, and not said any more.
  expect(parts - acknowledged).toBeGreaterThanOrEqual(0)
  expect(parts - acknowledged).toBeLessThanOrEqual(1)
  const wanted = {
    accountId,
    agentId,
    conversationId: sessionId,
    direction: 'combined',
    redacted: false,
  } as const
  const heard: Uint8Array[] = []
  const { read } = await platform.reading.audio(wanted)
  for await (const chunk of read()) heard.push(chunk.slice())
  const sound = Buffer.concat(heard).subarray(44)
  expect(sound.length).toBe(parts * PART)
  expect(sound.equals(Buffer.concat(Array.from({ length: parts }, () => Buffer.alloc(PART, MARK))))).toBe(
    true,
  )
  // The part in which it was killed is removed: nothing but what is recorded stays.
  await clock.advance(10_000)
  const sounds = () => filesWith(join(folder, 'sound'), MARK)
  await expect.poll(() => sounds().length).toBe(parts)

  // Nobody came back: the session has ended meanwhile.
  await platform.idle()
  await platform.conversations.remove(accountId, agentId, sessionId)
  expect(filesWith(folder, MARK.slice(0, 12))).toEqual([])
  const names = readdirSync(folder, { recursive: true }).map(String)
  expect(names.filter(name => name.includes(recording?.id ?? ''))).toEqual([])
  expect(filesWith(folder, recording?.id ?? '')).toEqual([])
})
