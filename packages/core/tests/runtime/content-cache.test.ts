import { describe, expect, it } from 'vitest'
import { createContentCache } from '../../src/runtime/content-cache.ts'

describe('what is made of a revision', () => {
  const content = {
    key: 'one',
    behavior: '',
    responseSettings: { greeting: 'Hello', languageCode: 'en-GB', voiceId: null, modelId: null },
    topics: [],
    tree: new Map(),
  }

  it('IX3 is made once for all who ask, also while it is made', async () => {
    let made = 0
    const give = createContentCache(2, async () => {
      made += 1
      return made
    })
    expect(await Promise.all([give(content), give(content)])).toEqual([1, 1])
    expect(await give(content)).toBe(1)
    expect(await give({ ...content, key: 'other' })).toBe(2)
  })

  it('IX3 is made again after it failed', async () => {
    let tried = 0
    const give = createContentCache(2, async () => {
      tried += 1
      if (tried === 1) throw new Error('broken')
      return tried
    })
    const both = await Promise.allSettled([give(content), give(content)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await give(content)).toBe(2)
  })
})
