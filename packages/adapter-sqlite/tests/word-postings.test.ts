import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packPostings, postingOf, unpackPostings } from '../src/conversations/word-postings.ts'

it('SQ87 what is packed is unpacked as it was, however far apart the turns are', () => {
  const postings = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 2 ** 50 }), fc.integer({ min: 1, max: 3 })), {
      selector: ([turn]) => turn,
    })
    .map(all => all.map(([turn, sides]) => postingOf(turn, sides)).sort((one, other) => one - other))
  fc.assert(
    fc.property(postings, all => {
      expect(unpackPostings(packPostings(all))).toEqual(all)
    }),
  )
})
