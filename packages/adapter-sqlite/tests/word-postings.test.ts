import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PostingLists } from '../src/conversations/posting-lists.ts'
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

it('SQ87 postings are collected word by word, however many; a turn that comes again gets its sides', () => {
  const lists = new PostingLists()
  const added = fc.array(fc.tuple(fc.integer({ min: 0, max: 2_500 }), fc.integer({ min: 1, max: 3 })), {
    maxLength: 6_000,
    size: 'max',
  })
  fc.assert(
    fc.property(added, all => {
      // The same room is used again and again, as by one batch after the other.
      lists.clear()
      const words = new Map<number, { readonly list: number; readonly turns: Map<number, number> }>()
      for (const [index, [word, sides]] of all.entries()) {
        const turn = 2 ** 40 + Math.floor(index / 3)
        const known = words.get(word) ?? { list: lists.make(), turns: new Map() }
        words.set(word, known)
        lists.add(known.list, turn, sides)
        known.turns.set(turn, (known.turns.get(turn) ?? 0) | sides)
      }
      for (const { list, turns } of words.values())
        expect(lists.of(list)).toEqual([...turns].map(([turn, sides]) => postingOf(turn, sides)))
    }),
    { numRuns: 30 },
  )
})
