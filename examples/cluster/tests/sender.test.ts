import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createSender } from '../src/cluster-bus.ts'

const KIB = 1_024
const NOTICES = 2_000

test('CB6 a process that is suspended loses notices, costs no memory, and hears the next ones once it goes on', async () => {
  const child = fork(new URL('./echo.ts', import.meta.url), { execArgv: ['--import', 'tsx'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child, 'message')
  const send = createSender(child)
  // Several echoes may come in one piece: each has to be heard.
  const echoed = (number: number): Promise<void> =>
    new Promise(resolve => {
      child.on('message', echo => {
        if (echo === number) resolve()
      })
    })
  const first = echoed(0)
  expect(send({ number: 0 })).toBe(true)
  await first

  child.kill('SIGSTOP')
  const text = 'x'.repeat(64 * KIB)
  const sent: number[] = []
  for (let number = 1; number <= NOTICES; number++) {
    if (send({ number, text })) sent.push(number)
    await new Promise<void>(resolve => setImmediate(resolve))
  }
  // What the channel itself holds, and what Node holds before it calls it unwise to send more.
  expect(sent.length * 64).toBeLessThan(2 * KIB)

  const behind = echoed(sent.at(-1) ?? 0)
  child.kill('SIGCONT')
  await behind
  const next = echoed(-1)
  await expect.poll(() => send({ number: -1 })).toBe(true)
  await next
}, 60_000)
