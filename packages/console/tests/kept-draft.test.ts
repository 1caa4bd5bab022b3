import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draftOf, withDraft } from '../page/data/kept-draft.ts'
import type { Fields } from '../page/data/rebase.ts'

const value = fc.constantFrom('red', 'green', 'blue', true, false)
const fields: fc.Arbitrary<Fields> = fc.record({ name: value, content: value, isActive: value })

/** As a browser keeps it. */
const kept = (draft: unknown): unknown => JSON.parse(JSON.stringify(draft))

test('CO251 a form comes back as it was left, over what the server has by then', () => {
  fc.assert(
    fc.property(fields, fields, fields, (saved, mine, now) => {
      const draft = draftOf({ value: mine, saved, clashes: new Set() })
      const back = withDraft(now, kept(draft))
      expect(back.saved).toEqual(now)
      for (const field of Object.keys(mine)) {
        const isMine = mine[field] !== saved[field]
        expect(back.value[field]).toBe(isMine ? mine[field] : now[field])
        const isClash = isMine && now[field] !== saved[field] && now[field] !== mine[field]
        expect(back.clashes.has(field)).toBe(isClash)
      }
    }),
  )
})

test('CO251 what had to be decided has to be decided still, unless it is the same by now', () => {
  const draft = kept(
    draftOf({ value: { name: 'mine' }, saved: { name: 'theirs' }, clashes: new Set(['name']) }),
  )
  expect([...withDraft({ name: 'theirs' }, draft).clashes]).toEqual(['name'])
  expect([...withDraft({ name: 'mine' }, draft).clashes]).toEqual([])
})

test('CO251 of a form that is saved nothing is kept, and what is no draft changes nothing', () => {
  expect(draftOf({ value: { name: 'a' }, saved: { name: 'a' }, clashes: new Set() })).toBe(null)
  for (const odd of [null, 7, 'text', [], { mine: 3, base: [], clashes: 'x' }, { mine: { name: 4 } }])
    expect(withDraft({ name: 'a' }, odd)).toEqual({
      ...{ value: { name: 'a' }, saved: { name: 'a' }, clashes: new Set() },
    })
})
