import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import { deskEventOnWire } from '../../src/http/desk-wire.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { Platform, PlatformOptions } from '../../src/platform.ts'
import type { AgentRuntime } from '../../src/ports/agent-runtime.ts'
import { request } from '../support/request.ts'

const ADA = { id: 'ada', name: 'Ada', avatarUrl: '' }
const AUTHOR = { id: 'ada', name: 'Ada' }
const SECRET = 'Complained twice before'

/** Two processes; in the first Ada talks to a visitor. What agents read is kept. */
async function talking(options: Partial<PlatformOptions> = {}) {
  const read: string[] = []
  const runtime: AgentRuntime = {
    async *respond(turn) {
      read.push(JSON.stringify([await turn.history(100), turn.input]))
      yield { type: 'text', text: 'Certainly.' }
      const isAsked = turn.input.type === 'message' && turn.input.text === 'person'
      if (isAsked) yield { type: 'handoff', destination: 'reception', reason: 'asked' }
    },
  }
  const bench = createDeskBench()
  const [platform, other] = [bench.start({ runtime, ...options }), bench.start({ runtime, ...options })]
  const visitor = await bench.waiting(platform)
  const { accountId } = visitor
  const id = handoffOf(visitor)
  await platform.desk.accept(accountId, id, ADA)
  await bench.clock.settle()
  return { ...bench, platform, other, visitor, accountId, id, read }
}

/** Watches the desk; returns the notes that are told. */
async function hear(platform: Platform, accountId: string) {
  const heard: string[] = []
  const leave = await platform.desk.watch(accountId, event => {
    const frame = deskEventOnWire(event)
    if (frame.type === 'handoff.note') heard.push(`${frame.note.number} ${frame.note.text}`)
  })
  return { heard, leave }
}

const conflict = (words: string) => ({ code: 'NOTE_CONFLICT', message: expect.stringContaining(words) })

describe('notes for colleagues', () => {
  test('DK549 visitor, agent and log never get a note; colleagues read all of them in order', async () => {
    const { accountId, clock, id, other, platform, read, store, visitor } = await talking()
    const first = await platform.desk.writeNote(
      accountId,
      { handoffId: id },
      { text: SECRET, author: AUTHOR },
    )
    expect(first).toMatchObject({ number: 1, author: AUTHOR, text: SECRET, at: clock.now() })
    const of = { agentId: visitor.agentId, conversationId: visitor.id }
    await other.desk.writeNote(accountId, of, { text: `${SECRET}!`, author: { id: 'ben', name: 'Ben' } })
    await platform.desk.return(accountId, id)
    await visitor.say('And now?')
    await clock.settle()
    const turns = read.length
    expect(turns).toBeGreaterThan(1)
    const { events } = await store.conversations.eventPage(visitor.id, 0, { count: 999, bytes: 999_999 })
    for (const seen of [visitor.received, read, events, await store.conversations.load(visitor.id)])
      expect(JSON.stringify(seen)).not.toContain(SECRET)
    const texts = [SECRET, `${SECRET}!`]
    expect((await platform.desk.notes(accountId, of)).map(({ text }) => text)).toEqual(texts)
    expect((await other.desk.notes(accountId, { handoffId: id }, 1)).map(({ text }) => text)).toEqual(
      texts.slice(1),
    )
    expect(await platform.desk.notes('ws-other', of)).toEqual([])
  })

  test('DK549 a note adds no read and no write to what a visitor says', async () => {
    const { accountId, calls, id, platform, visitor } = await talking()
    const costs = async () => {
      calls.clear()
      await visitor.say('Hello?')
      return Object.fromEntries([...calls].sort())
    }
    const before = await costs()
    await platform.desk.writeNote(accountId, { handoffId: id }, { text: SECRET, author: AUTHOR })
    expect(await costs()).toEqual(before)
  })

  test('DK550 a note is written after the end, and refused once the conversation was removed', async () => {
    const { accountId, clock, id, platform, visitor } = await talking()
    await platform.desk.leave(accountId, id)
    await clock.settle()
    const note = { text: 'Will call back', author: AUTHOR }
    await platform.desk.writeNote(accountId, { handoffId: id }, note)
    const of = { agentId: visitor.agentId, conversationId: visitor.id }
    expect(await platform.desk.notes(accountId, of)).toHaveLength(1)
    await platform.conversations.remove(accountId, visitor.agentId, visitor.id)
    expect(await platform.desk.notes(accountId, of)).toEqual([])
    await expect(platform.desk.writeNote(accountId, of, note)).rejects.toMatchObject({
      code: 'CONVERSATIONS_NOT_FOUND',
    })
    await expect(platform.desk.writeNote(accountId, { handoffId: id }, note)).rejects.toMatchObject({
      code: 'HANDOFF_NOT_FOUND',
    })
  })

  test('DK649 a writer changes their note and takes it back, and whoever follows hears of both', async () => {
    const { accountId, clock, id, other, platform } = await talking()
    const { heard, leave } = await hear(other, accountId)
    const write = (given: object, author = AUTHOR) =>
      platform.desk.writeNote(accountId, { handoffId: id }, { text: '', author, noteId: 'n-1', ...given })
    await write({ text: SECRET })
    await write({ text: 'Second', noteId: 'n-2' })
    await clock.advance(1_000)
    const changed = await write({ text: 'Better', changes: 1 })
    expect(changed).toMatchObject({ noteId: 'n-1', number: 3, text: 'Better', changedAt: clock.now() })
    expect(changed.at).toBeLessThan(clock.now())
    await expect(write({ text: 'Late', changes: 1 })).rejects.toMatchObject(conflict('not number 1 now'))
    await expect(write({ changes: 1, noteId: 'n-3' })).rejects.toMatchObject(conflict('has no note "n-3"'))
    await expect(write({ changes: 3 }, { id: 'ben', name: 'Ben' })).rejects.toMatchObject({
      code: 'USER_ACCESS_FORBIDDEN',
    })
    for (const given of [{ noteId: 'n-4' }, { changes: 0 }, { changes: 1.5 }])
      await expect(write(given)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    await write({ changes: 3 })
    await clock.settle()
    expect(heard).toEqual([`1 ${SECRET}`, '2 Second', '3 Better', '4 '])
    const kept = await platform.desk.notes(accountId, { handoffId: id })
    expect(kept.map(({ number, text }) => [number, text])).toEqual([
      [2, 'Second'],
      [4, ''],
    ])
    leave()
  })

  test('DK550 length and number are bounded; a note that is sent again is written once', async () => {
    const { accountId, id, platform } = await talking({ limits: { noteLength: 5, notesPerConversation: 2 } })
    const write = (text: string, noteId?: string) =>
      platform.desk.writeNote(
        accountId,
        { handoffId: id },
        { text, author: AUTHOR, ...(noteId && { noteId }) },
      )
    for (const text of ['', ' \n ', '123456'])
      await expect(write(text)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    const first = await write(' 12345 ', 'n-1')
    expect(first).toMatchObject({ noteId: 'n-1', text: '12345', number: 1 })
    expect(await write('12345', 'n-1')).toEqual(first)
    await expect(write('other', 'n-1')).rejects.toMatchObject(conflict('"n-1" stands for another note'))
    await write('two')
    await expect(write('three')).rejects.toMatchObject(conflict('at most 2'))
    for (const target of [{}, { agentId: 'x' }, { handoffId: id, agentId: 'x', conversationId: 'y' }])
      await expect(platform.desk.notes(accountId, target)).rejects.toMatchObject({
        code: 'SCHEMA_VALIDATION_FAILED',
      })
  })

  test('DK549 who watches hears each note once and in order, in every process, also after a lost notice', async () => {
    const { accountId, clock, id, other, platform, store, visitor } = await talking()
    const write = (on: Platform, text: string) =>
      on.desk.writeNote(accountId, { handoffId: id }, { text, author: AUTHOR })
    await write(platform, 'before')
    const [here, there] = [await hear(platform, accountId), await hear(other, accountId)]
    await write(platform, 'one')
    await clock.settle()
    await Promise.all([write(other, 'two'), write(platform, 'three')])
    await clock.settle()
    expect(here.heard.map(one => one.split(' ')[0])).toEqual(['2', '3', '4'])
    expect(there.heard).toEqual(here.heard)
    // Past the bus: no notice tells of it.
    const lost = { accountId, conversationId: visitor.id, author: AUTHOR, at: clock.now() }
    await store.conversations.notes.add({ ...lost, id: 'lost', text: 'lost' }, 9)
    expect(there.heard).toHaveLength(3)
    await clock.advance(16_000)
    for (const { heard } of [here, there]) expect(heard.slice(3)).toEqual(['5 lost'])
    here.leave()
    await write(platform, 'later')
    await clock.settle()
    expect([here.heard.length, there.heard.length]).toEqual([4, 5])
  })

  test('DK549 DK40 over HTTP: as a live agent of the key, listed with the handoff, and by number', async () => {
    const { accountId, clock, id, platform } = await talking()
    const dispatcher = createDispatcher(platform, routes)
    const keyOf = async (permissions?: string[]) =>
      (
        await platform.access.createApiKey({
          kind: 'desk',
          accountId,
          ...(permissions === undefined ? {} : { permissions }),
        })
      ).secret
    const ask = async (key: string, line: string, body?: unknown) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await dispatcher.handle(request(line, { headers: { 'x-api-key': key, ...type }, body }))
      return { status: answer.status, json: JSON.parse(answer.body ?? 'null') }
    }
    const [any, ben] = [await keyOf(), await keyOf(['desk', 'live-agent:ben'])]
    const path = `/desk/v1/handoffs/${id}/notes`
    const written = await ask(any, `POST ${path}`, { text: 'Call back', agent: AUTHOR, note_id: 'n-1' })
    const at = new Date(clock.now()).toISOString()
    const note = { note_id: 'n-1', number: 1, author: AUTHOR, text: 'Call back', at }
    expect(written).toEqual({ status: 201, json: note })
    expect((await ask(ben, `POST ${path}`, { text: 'x', agent: AUTHOR })).status).toBe(403)
    expect((await ask(any, `POST ${path}`, { text: 'x' })).status).toBe(400)
    const own = { text: 'y', agent: { id: 'ben', name: 'Ben' } }
    expect((await ask(ben, `POST ${path}`, own)).status).toBe(201)
    expect((await ask(ben, `GET ${path}?after=1`)).json.notes).toMatchObject([{ number: 2, text: 'y' }])
    expect((await ask(any, `GET /desk/v1/handoffs/${id}`)).json.notes).toMatchObject([note, { text: 'y' }])
    const none = await ask(any, 'POST /desk/v1/handoffs/none.1/notes', own)
    expect(none).toMatchObject({ status: 404, json: { error_code: 'HANDOFF_NOT_FOUND' } })
  })
})
