import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { signatureOf } from '../../src/twilio/index.ts'
import { AUTH_TOKEN, OURS, startTwilio } from './local-twilio.ts'

const URL_OF_HANDLER = 'https://agents.example.com/twilio'
const USERS = 20
const TEXTS = 6
const KILLS = 6

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const found = probe.address()
  probe.close()
  await once(probe, 'close')
  if (found === null || typeof found === 'string') throw new Error('There is no port.')
  return found.port
}

test('over a server that is killed again and again each text of a user is answered once, in order', async () => {
  const twilio = await startTwilio()
  onTestFinished(twilio.close)
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-texts-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const file = fileURLToPath(new URL('children/server.ts', import.meta.url))
  const node = ['--conditions=@colloquy/source', file]
  const given = [join(folder, 'texts.db'), twilio.baseUrl, String(port), URL_OF_HANDLER]

  async function start(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [...node, ...given], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    return child
  }

  /** Hands a text over as Twilio does, again until it is taken: some come twice. */
  async function handOver(from: string, id: string, text: string): Promise<void> {
    const form = new URLSearchParams({ MessageSid: id, From: from, To: OURS, Body: text })
    const headers = { 'x-twilio-signature': signatureOf(AUTH_TOKEN, `${URL_OF_HANDLER}/sms`, form) }
    for (;;) {
      try {
        const init = { method: 'POST', headers, body: form, signal: AbortSignal.timeout(10_000) }
        const { ok, status } = await fetch(`http://127.0.0.1:${port}/sms`, init)
        if (ok) return
        if (status < 500) throw new TypeError(`The text was answered ${status}.`)
      } catch (error) {
        if (error instanceof TypeError && error.message.startsWith('The text')) throw error
      }
      await pause(20)
    }
  }

  let child = await start()
  onTestFinished(() => void child.kill('SIGKILL'))
  let handed = 0
  const users = Array.from({ length: USERS }, (_, index) => `+120255502${String(index).padStart(2, '0')}`)
  const talk = async (from: string): Promise<void> => {
    for (let number = 1; number <= TEXTS; number++) {
      const id = `SM-${from}-${number}`
      await handOver(from, id, String(number))
      if (number % 2 === 0) await handOver(from, id, String(number))
      handed += 1
      if (number % 3 === 0) twilio.fault(number % 2 === 0 ? 'loses the answer' : 'loses the request')
    }
  }
  const talked = Promise.all(users.map(talk))
  talked.catch(() => undefined)
  for (let kill = 1; kill <= KILLS; kill++) {
    while (handed < (USERS * TEXTS * kill) / (KILLS + 1)) await pause(5)
    child.kill('SIGKILL')
    await once(child, 'exit')
    child = await start()
  }
  await talked
  const all = USERS * TEXTS
  await expect.poll(() => twilio.messages.length).toBeGreaterThanOrEqual(all)
  const sent = (to: string) => twilio.messages.filter(message => message.to === to).map(({ body }) => body)
  const expected = Array.from({ length: TEXTS }, (_, index) => `Answer to ${index + 1}`)
  for (const user of users) expect(sent(user).toReversed()).toEqual(expected)
  expect(twilio.messages).toHaveLength(all)
})
