import { describe, expect, it } from 'vitest'
import { ask } from './judge.ts'
import { PHONE_MESSAGES } from './messages.ts'

/** Messages that words alone do not understand. Each one is known, and none is answered from a wrong topic. */
const MISUNDERSTOOD: ReadonlySet<string> = new Set([
  'price for 10 gb more?',
  'going to portugal next week, does my phone work there',
  'does it work in switzerland',
  'what do i pay for data in new york',
  'does my iphone work without a physical sim',
  'cant find my handset anywhere',
  'do you accept visa',
  'no bars in the kitchen',
  'dropped my phone and the glass cracked',
])

const understood = PHONE_MESSAGES.filter(({ says }) => !MISUNDERSTOOD.has(says))

describe('an agent of another trade', () => {
  it('RT10 common words count less, unless they name one of few topics', async () => {
    const expected = { is: 'answer', topics: ['Change plan'] } as const
    const says = 'is it possible to go to a cheaper tariff'
    expect(await ask({ says, expected })).toMatchObject({ verdict: 'right' })
  })

  it.each(understood)('“$says” is answered, or asked back about', async message => {
    const { verdict, did } = await ask(message)
    expect({ did, good: verdict !== 'wrong' }).toEqual({ did, good: true })
  })

  it.each([...MISUNDERSTOOD])('“%s” is misunderstood, and not answered from a wrong topic', async says => {
    const message = PHONE_MESSAGES.find(one => one.says === says)
    if (message === undefined) throw new Error(`“${says}” is none of the messages.`)
    const { verdict, did } = await ask(message)
    expect({ did, verdict }).toEqual({
      did: expect.stringMatching(/^(?:unknown|clarify)/),
      verdict: 'wrong',
    })
  })

  it('part of a message is answered, or asked back about, as all of it is', async () => {
    const expected = { is: 'answer', topics: ['Activate SIM'] } as const
    expect(await ask({ says: 'sim card arrived today', expected })).toMatchObject({ verdict: 'acceptable' })
  })

  it('letters in common alone are no answer', async () => {
    const expected = { is: 'unknown' } as const
    expect(await ask({ says: 'cant find my handset anywhere', expected })).toMatchObject({ verdict: 'right' })
  })

  it('RT38 a short word names a topic that has it in its name', async () => {
    const message = {
      says: 'sim',
      expected: { is: 'asks', topics: ['Activate SIM'] },
    } as const
    expect(await ask(message)).toMatchObject({ verdict: 'right' })
  })
})
