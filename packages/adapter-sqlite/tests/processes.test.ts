import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { aConversation, anAgent, anAppend, anEvent, aTurn } from '@colloquy/core/testing'
import { eventsOf } from '@colloquy/test-support/stored'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runChild } from './children/child.ts'
import { openStore, temporaryStoreFile } from './files.ts'

const ACKNOWLEDGED = 400

describe('crashes', () => {
  it('SQ30 a process that is killed while it writes loses no acknowledged write, and leaves no half one', async () => {
    const filename = temporaryStoreFile()
    const child = runChild(new URL('./children/append-forever.ts', import.meta.url), [filename])
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const closed = once(child, 'close')
    const acknowledged = new Map<string, number>()
    let lines = 0
    for await (const line of createInterface({ input: child.stdout })) {
      const [id = '', sequence = ''] = line.split(' ')
      acknowledged.set(id, Number(sequence))
      // What it prints until it is dead still counts.
      if (++lines === ACKNOWLEDGED) child.kill('SIGKILL')
    }
    expect(await closed).toEqual([null, 'SIGKILL'])
    expect(acknowledged.size).toBe(5)

    const { conversations } = openStore({ filename })
    for (const [name, sequence] of acknowledged) {
      const id = name
      const events = await eventsOf(conversations, id, 0)
      expect(events.length).toBeGreaterThanOrEqual(sequence)
      expect(events.map(event => event.id)).toEqual(events.map((_, index) => `${id}-${index + 1}`))
      expect(await conversations.turns(id)).toEqual(events.map((_, index) => aTurn(`${index + 1}`)))
      const stored = await conversations.load(id)
      expect(stored).toMatchObject({ version: events.length + 1, state: { sequence: events.length } })
      const next = anAppend(aConversation(id), events.length + 1, {
        events: [anEvent({ clientEventId: `c-${sequence}` })],
      })
      expect(await conversations.append(next)).toEqual({ status: 'duplicate', sequence })
    }
  })
})

describe('several stores on one file', () => {
  it('SQ30 of two stores that write at one version exactly one wins, in every round', async () => {
    const filename = temporaryStoreFile()
    const [one, two] = [openStore({ filename }), openStore({ filename })]
    let written = aConversation('AS-1')
    expect((await Promise.all([one, two].map(store => store.conversations.create(written)))).sort()).toEqual([
      'created',
      'taken',
    ])
    expect((await Promise.all([two, one].map(store => store.agents.create(anAgent())))).sort()).toEqual([
      'created',
      'taken',
    ])
    for (let version = 1; version <= 30; version++) {
      const appends = [one, two].map((_, racer) =>
        anAppend(written, version, { state: { variables: { racer } } }),
      )
      const racers = version % 2 === 0 ? [one, two] : [two, one]
      const results = await Promise.all(
        racers.map((store, racer) => store.conversations.append(appends[racer] ?? anAppend(written, -1))),
      )
      expect(results.map(({ status }) => status).sort()).toEqual(['appended', 'stale'])
      const winner = appends[results.findIndex(({ status }) => status === 'appended')]
      for (const store of [one, two]) {
        expect(await store.conversations.load('AS-1')).toMatchObject({
          version: version + 1,
          state: winner?.state,
        })
      }
      written = winner ?? written
    }
  })

  it('SQ30 processes that write one conversation at once lose no write and write none twice', async () => {
    const filename = temporaryStoreFile()
    const store = openStore({ filename })
    await store.conversations.create(aConversation('AS-1', { events: [] }))
    const writers = ['a', 'b', 'c']
    const exits = writers.map(async writer => {
      const child = runChild(new URL('./children/append-many.ts', import.meta.url), [
        filename,
        'AS-1',
        writer,
        '40',
      ])
      return once(child, 'exit')
    })
    expect(await Promise.all(exits)).toEqual(writers.map(() => [0, null]))
    const events = await eventsOf(store.conversations, 'AS-1', 0)
    expect(events.map(event => event.sequence)).toEqual(events.map((_, index) => index + 1))
    const expected = writers.flatMap(writer => Array.from({ length: 40 }, (_, index) => `${writer}-${index}`))
    expect(events.map(event => event.id).sort()).toEqual(expected.sort())
    expect(await store.conversations.load('AS-1')).toMatchObject({ version: 121 })
  })

  it('SQ30 of stores that claim due conversations at once each conversation goes to one', async () => {
    const filename = temporaryStoreFile()
    const stores = [openStore({ filename }), openStore({ filename })]
    const ids = Array.from({ length: 20 }, (_, index) => `AS-${index}`)
    await Promise.all(
      ids.map((id, index) => stores[index % 2]?.conversations.create(aConversation(id, { wakeAt: index }))),
    )
    const claimed = await Promise.all(
      [0, 1, 0, 1].map(index => stores[index]?.conversations.timers.claimDue(100, 5, 200) ?? []),
    )
    expect(claimed.flat().sort()).toEqual(ids.sort())
  })
})
