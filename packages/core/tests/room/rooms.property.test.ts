import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Room } from '../../src/usecases/room/room.ts'
import { aProcess, MOST_ROOMS } from './support.ts'

const steps = fc.array(
  fc.record({
    id: fc.nat(30).map(number => `c${number}`),
    act: fc.constantFrom('write', 'end', 'lock', 'release', 'listen', 'leave', 'publish'),
  }),
  { maxLength: 200 },
)

test('a room stays while it is used, those written last are remembered, and no other is kept', () => {
  fc.assert(
    fc.property(steps, given => {
      const { rooms } = aProcess()
      const held = new Map<string, Room>()
      const listening = new Map<
        string,
        { readonly room: Room; readonly listener: Parameters<Room['listen']>[0] }
      >()
      /** Ids that were written and have not ended, the last one last. */
      const written = new Set<string>()
      let told = 0
      for (const { act, id } of given) {
        const room = rooms.of(id)
        if (act === 'write' || act === 'end') {
          room.isOurs = act === 'write'
          written.delete(id)
          if (act === 'write') {
            written.add(id)
            rooms.remember(room)
          }
        } else if (act === 'lock' && !held.has(id)) {
          expect(room.lock.acquire()).toBeNull()
          held.set(id, room)
        } else if (act === 'release') {
          held.get(id)?.lock.release()
          held.delete(id)
        } else if (act === 'listen' && !listening.has(id)) {
          const listener = { notice: () => void told++, gap: () => undefined }
          room.listen(listener)
          listening.set(id, { room, listener })
        } else if (act === 'leave') {
          const own = listening.get(id)
          own?.room.leave(own.listener)
          listening.delete(id)
        } else if (act === 'publish') {
          const before = told
          rooms.publish(id, { sequence: 1, events: [], transients: [] })
          expect(told - before).toBe(listening.has(id) ? 1 : 0)
        }
        rooms.settled(room)
        const all = [...rooms.all()]
        for (const [key, one] of held) expect(rooms.find(key)).toBe(one)
        for (const [key, { room: one }] of listening) expect(rooms.find(key)).toBe(one)
        const ours = all.filter(one => one.isOurs).map(one => one.id)
        expect(ours.length).toBeLessThanOrEqual(MOST_ROOMS)
        // The newest ones, as many as fit.
        expect([...written].slice(-ours.length || written.size)).toEqual(
          ours.length === 0 ? [...written] : ours,
        )
        expect(all.every(one => one.isOurs || held.has(one.id) || listening.has(one.id))).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

test('what one listener throws is reported, and keeps nothing from the others', () => {
  const { heard, rooms } = aProcess()
  const room = rooms.of('c1')
  const failure = new Error('It cannot listen.')
  let told = 0
  const failing = () => {
    throw failure
  }
  room.listen({ notice: failing, gap: failing })
  room.listen({ notice: () => void told++, gap: () => void told++ })
  rooms.publish('c1', { sequence: 1, events: [], transients: [] })
  room.gap()
  expect(told).toBe(2)
  expect(heard).toEqual([failure, failure])
})
