import { aConversation, anAppend, anEvent } from '@colloquy/core/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keptText } from '../src/database/texts.ts'
import { describePostgres } from './postgres.ts'

const special = fc.string({ unit: fc.constantFrom('\u0000', '\u0001', '\u0002', 'a', '\u{1F600}') })

const compare = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

describe('texts', () => {
  it('MA7 texts that differ are kept so, without NUL, and in the order of their code points', () => {
    fc.assert(
      fc.property(special, special, (one, other) => {
        expect(keptText(one)).not.toContain('\u0000')
        expect(Math.sign(compare(keptText(one), keptText(other)))).toBe(Math.sign(compare(one, other)))
      }),
    )
  })
})

describePostgres('texts in PostgreSQL', stores => {
  it('MA7 ids, names and client ids may hold NUL', async () => {
    const { access, conversations } = await stores.open()
    const names = ['a', 'a\u0000', 'a\u0000\u0001', 'a\u0001', 'b']
    for (const id of names.toReversed())
      await access.accounts.create({ id, slug: `slug ${id}`, name: `it's "${id}"\\`, createdAt: 5 })
    const accounts = await access.accounts.list({}, 9)
    expect(accounts.map(({ id }) => id)).toEqual(names)
    expect(accounts.map(({ name }) => name)).toEqual(names.map(id => `it's "${id}"\\`))
    expect(await access.accounts.list({ after: { createdAt: 5, id: 'a\u0000' } }, 1)).toMatchObject([
      { id: 'a\u0000\u0001' },
    ])

    const created = aConversation('AS-\u0000')
    const append = anAppend(created, 1, { events: [anEvent({ clientEventId: 'c\u0000' })] })
    await conversations.create(created)
    expect(await conversations.append(append)).toEqual({ status: 'appended' })
    expect(await conversations.append(append)).toEqual({ status: 'duplicate', sequence: 2 })
    expect(await conversations.clientEvent('AS-\u0000', ['c', 'c\u0000'])).toMatchObject({
      clientEventId: 'c\u0000',
    })
  })
})
