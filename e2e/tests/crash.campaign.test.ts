import { greetedVisitor } from '@colloquy/test-support/demo'
import { CREDENTIALS, freshDatabase, startStandalone } from '@colloquy/test-support/standalone'
import { expect, test } from 'vitest'
import type { Visitor } from '../../examples/quickstart/src/visitor.ts'

const VISITORS = 4
const QUESTIONS = 6

test('EE1 visitors who write while the server is killed lose nothing and hear nothing twice', async () => {
  const settings = { ...CREDENTIALS, COLLOQUY_DATABASE: await freshDatabase() }
  const server = await startStandalone(settings)
  const visitors: Visitor[] = []
  for (let index = 0; index < VISITORS; index += 1) visitors.push((await greetedVisitor(server)).visitor)
  const texts = Array.from({ length: QUESTIONS }, (_, index) => `What time is breakfast? (${index})`)
  const send = (text: string): void => {
    for (const visitor of visitors) visitor.say(text)
  }

  // The first half is on its way when the server dies: some of it stored, some echoed, some answered, some nowhere.
  for (const text of texts.slice(0, QUESTIONS / 2)) send(text)
  await visitors[0]?.next('USER_MESSAGE')
  server.kill('SIGKILL')
  await server.exit
  for (const text of texts.slice(QUESTIONS / 2)) send(text)
  await startStandalone({ ...settings, PORT: server.port })

  for (const { next, journal } of visitors) {
    const answers = () => journal.flatMap(event => (event.name === 'AI_AGENT_MESSAGE' ? [event.payload] : []))
    while (answers().length < 1 + QUESTIONS) await next('AI_AGENT_MESSAGE')
    expect(journal.map(({ sequence }) => sequence)).toEqual(journal.map((_, index) => index + 1))
    const echoes = journal.flatMap(event => (event.name === 'USER_MESSAGE' ? [event] : []))
    expect(echoes.map(({ payload }) => payload.text)).toEqual(texts)
    expect(new Set(echoes.map(({ clientEventId }) => clientEventId)).size).toBe(QUESTIONS)
    expect(answers()).toHaveLength(1 + QUESTIONS)
    expect(new Set(answers().map(({ messageId }) => messageId)).size).toBe(1 + QUESTIONS)
  }
})
