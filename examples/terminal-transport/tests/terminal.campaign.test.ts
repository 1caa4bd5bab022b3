import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { contextOf } from '@colloquy/test-support/context-of'
import { run } from '@colloquy/test-support/program'
import { createSignal } from '@colloquy/test-support/signal'
import { expect, test } from 'vitest'
import { programArguments } from '../../../scripts/programs/program.ts'
import type { Seat } from '../src/seat.ts'
import { runTerminal } from '../src/terminal.ts'
import { readTypedLine } from '../src/typed-line.ts'
import { openSession } from './support.ts'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const PROGRAM = new URL('../src/main.ts', import.meta.url)

/** What the desk and the visitor are shown comes over two roads: each keeps its own order. What is only true for a moment is left out. */
function roads(text: string): { readonly desk: readonly string[]; readonly visitor: readonly string[] } {
  const lines = text
    .trim()
    .split('\n')
    .filter(line => !line.endsWith('…') && !line.startsWith('* You are number'))
  const isDesk = (line: string): boolean => line.startsWith('[desk]')
  return { desk: lines.filter(isDesk), visitor: lines.filter(line => !isDesk(line)) }
}

test('TT1 the session of the readme goes as it stands there', async () => {
  const [, command = ''] = [...README.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, body]) => body)
  const [, shown = ''] = /^```text\n(.*?)^```$/ms.exec(README) ?? []
  const program = run('sh', ['-c', command])
  expect(await program.exit, program.output.stderr).toBe(0)
  expect(roads(program.output.stdout)).toEqual(roads(shown))
  expect(roads(shown).visitor.length).toBeGreaterThan(10)
})

test('TT1 typing, thinking and the place in the queue are shown while they are true', async () => {
  const program = run(process.execPath, programArguments(PROGRAM))
  await program.line(/^Agent: Welcome/)
  program.write('I want to speak to a person\n')
  await program.line(/^\* The agent thinks …$/)
  await program.line(/^\* You are number 1 in the queue/)
  program.write('/desk take\n')
  await program.line(/^\* Ada joins\.$/)
  program.write('/desk typing\n')
  await program.line(/^\* The live agent types …$/)
  program.write('/end\n')
  expect(await program.exit).toBe(0)
  expect(program.output.stdout).toContain('* The session has ended (REASON_USER_END).\n')
  expect(program.output.stdout).toContain('[desk] It is over (visitor ended).\n')
})

test('an input that ends right after a question still gets its answer', async () => {
  const command = [process.execPath, ...programArguments(PROGRAM)].map(word => `'${word}'`).join(' ')
  const program = run('sh', ['-c', `printf 'When is breakfast?' | ${command}`])
  expect(await program.exit, program.output.stderr).toBe(0)
  expect(program.output.stdout).toContain('Agent: Breakfast is served')
})

const NOBODY: Seat = {
  take: async () => Promise.reject(new Error('No visitor is waiting.')),
  typing: async () => {},
  say: async () => {},
  leave: async () => {},
  reject: async () => {},
  settled: async () => {},
}

/** A terminal in this process; `output` is what a person sees. */
async function openTerminal(interactive: boolean, otherwise: Parameters<typeof openSession>[0]['otherwise']) {
  const opened = await openSession(otherwise === undefined ? {} : { otherwise })
  const input = new PassThrough()
  const output = new PassThrough()
  const signal = createSignal()
  let shown = ''
  output.setEncoding('utf8').on('data', text => {
    shown += text
    signal.changed()
  })
  const { platform, clock, session } = opened
  const ended = runTerminal({
    ...{ platform, clock, session, input, output, interactive },
    openSeat: async () => NOBODY,
  })
  return {
    ...opened,
    input,
    output,
    ended,
    shown: () => shown,
    see: (text: string) => signal.until(() => shown.includes(text)),
  }
}

test('what cannot be done is said in words, and the session goes on', async () => {
  const { input, ended, shown } = await openTerminal(false, 'Yes.')
  input.end('/dance\n/7\n/desk take\n/desk dance\n\n//end is what I type\n')
  await ended
  expect(
    shown()
      .split('\n')
      .filter(line => /^[!Y]/.test(line)),
  ).toEqual([
    '! There is no /dance. /help shows what there is.',
    '! There is no suggestion 7.',
    '! No visitor is waiting.',
    '! A live agent can take, typing, say, leave, reject, not "dance".',
    'You: /end is what I type',
  ])
})

test('typed lines are read', () => {
  expect(readTypedLine('  Hello  ')).toEqual({ type: 'say', text: 'Hello' })
  expect(readTypedLine('/12')).toEqual({ type: 'suggestion', number: 12 })
  expect(readTypedLine('/desk say  one  two')).toEqual({ type: 'desk', words: 'say  one  two' })
  expect(readTypedLine('/constructor')).toEqual({ type: 'unknown', name: 'constructor' })
  expect(readTypedLine('/')).toEqual({ type: 'unknown', name: '' })
})

test('whoever types sees no echo of it, and a program that stops reading ends the terminal', async () => {
  const { input, output, ended, shown, see } = await openTerminal(true, 'Yes.')
  await see('Agent: Welcome.')
  input.write('Is it open?\n')
  await see('Agent: Yes.')
  expect(shown()).not.toContain('You:')
  output.destroy(new Error('nobody reads'))
  await ended
})

test('somebody who only reads stays in the session: heartbeats go out at the interval of the settings', async () => {
  const { platform, session, clock, input, ended, shown, see } = await openTerminal(true, 'Yes.')
  await see('Agent: Welcome.')
  await clock.advance(platform.settings.sessionIdle * 3)
  expect(shown()).not.toContain('ended')
  expect((await contextOf(platform).store.conversations.load(session.sessionId))?.state.endedAt).toBe(null)
  input.write('/drop\n')
  await see('* Connection dropped.')
  await clock.advance(platform.settings.sessionIdle * 3)
  expect((await contextOf(platform).store.conversations.load(session.sessionId))?.state.endedAt).not.toBe(
    null,
  )
  input.end()
  await ended
})
