import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createShares } from '../../src/shared/shares.ts'
import { createUploads } from '../../src/usecases/files/uploads.ts'

const steps = fc.array(fc.record({ holder: fc.constantFrom('a', 'b', 'c'), gives: fc.boolean() }), {
  maxLength: 60,
})

describe('LI20 shares', () => {
  test('are as many as there are, and beside one who has all that it may have there is one for another', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), steps, (most, given) => {
        const shares = createShares(most)
        const held: { readonly holder: string; readonly leave: () => void }[] = []
        for (const { gives, holder } of given) {
          const at = held.findIndex(one => one.holder === holder)
          if (gives && at >= 0) {
            const [one] = held.splice(at, 1)
            one?.leave()
            // A second time changes nothing.
            one?.leave()
          } else {
            const hadRoom = shares.hasRoom(holder)
            const leave = shares.take(holder)
            expect(leave !== null).toBe(hadRoom)
            if (leave !== null) held.push({ holder, leave })
          }
          expect(held.length).toBeLessThanOrEqual(most)
          expect(shares.isFull).toBe(held.length === most)
        }
        for (const { leave } of held) leave()
        let greedy = 0
        while (shares.take('a') !== null) greedy++
        expect(greedy).toBe(most - Math.ceil(most / 4))
        expect(shares.take('b')).not.toBeNull()
      }),
    )
  })

  test('of one place whoever comes first has it', () => {
    const shares = createShares(1)
    const leave = shares.take('a')
    expect([leave === null, shares.take('b'), shares.take('a')]).toEqual([false, null, null])
    leave?.()
    expect(shares.take('b')).not.toBeNull()
  })

  test('FI7 an account whose uploads never end leaves room for the uploads of others', async () => {
    const uploads = createUploads(4)
    const endless = (): Promise<string> => uploads('ws-a', () => new Promise(() => {}))
    const begun = [endless(), endless(), endless()]
    const refused = expect.objectContaining({ code: 'RATE_LIMITED' })
    await expect(endless()).rejects.toEqual(refused)
    expect(begun).toHaveLength(3)
    expect(await uploads('ws-b', async () => 'taken')).toBe('taken')
  })
})
