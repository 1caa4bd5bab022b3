import { ACCOUNT, AGENT, aConversation, START } from '@colloquy/core/testing'
import { expect, it } from 'vitest'
import { DEEP_OFFSET } from '../src/conversations/records.ts'
import { openStore } from './files.ts'

it('SC88 deep pages of the newest records, which are looked up, are those that would be stepped to', async () => {
  const { conversations } = openStore({ filename: ':memory:' })
  const ids: string[] = []
  for (let index = 0; index < DEEP_OFFSET + 120; index++) {
    // Several a moment, several moments a minute, and days in between.
    const startedAt = START + Math.floor(index / 3) * 7_000 + Math.floor(index / 400) * 86_400_000
    ids.push(`C-${String(index).padStart(5, '0')}`)
    await conversations.create(aConversation(ids.at(-1) ?? '', { startedAt }))
  }
  const newest = ids.toReversed()
  const scope = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
  for (const offset of [0, 1, 118, 119, 120, 121].flatMap(by => [by, DEEP_OFFSET - 1 + by])) {
    const { records, more } = await conversations.records.newest(scope, { offset }, 5)
    expect([offset, records.map(({ id }) => id), more]).toEqual([
      offset,
      newest.slice(offset, offset + 5),
      offset + 5 < newest.length,
    ])
  }
})
