import { describe, expect, it } from 'vitest'
import type { TextCarrier, TextToSend } from '../../ports/text-carrier.ts'

/** The faults that a carrier under test can have at the next request that would send a text. */
export type CarrierFault = 'loses the answer' | 'loses the request' | 'refuses' | 'is busy'

/** A carrier, and the other side of it. */
export interface CarrierUnderTest {
  readonly carrier: TextCarrier
  /** Returns the texts that the other side has accepted, in order. */
  taken(): Promise<readonly { readonly to: string; readonly text: string }[]>
  fault(fault: CarrierFault): void
}

/** The contract's access to carriers. */
export interface CarrierFactory {
  /** One whose other side has no texts yet; it is closed when its test is over. */
  open(): Promise<CarrierUnderTest>
}

const aText = (id: string, values: Partial<TextToSend> = {}): TextToSend => ({
  ...{ id, from: '+12025550100', to: '+12025550111', text: `Text ${id}`, channel: 'SMS', service: null },
  ...{ attempt: 1, firstAttemptAt: Date.now(), sent: [], signal: new AbortController().signal },
  ...values,
})

/**
 * Declares the tests of the `TextCarrier` port (rules TK1 to TK5) for one adapter. To be called at the top level of a
 * vitest file.
 */
export function testTextCarrier(name: string, { open }: CarrierFactory): void {
  describe(`${name}: text carrier`, () => {
    it('TK1 a text is taken as it is, and each has an id of its own', async () => {
      const { carrier, taken } = await open()
      const texts = ['Hello.', 'äöü 漢字 😀', '  a\n\nb & c=d+e%20 "f" ', 'x'.repeat(1_600)]
      const ids = new Set<string>()
      for (const [index, text] of texts.entries()) {
        const answer = await carrier.send(aText(`c.${index + 1}`, { text }))
        if (!('carrierId' in answer)) throw new Error('It was not taken.')
        ids.add(answer.carrierId)
      }
      expect(ids.size).toBe(texts.length)
      expect(await taken()).toEqual(texts.map(text => ({ to: '+12025550111', text })))
    })

    it('TK2 a text whose answer was lost is not taken twice', async () => {
      const { carrier, fault, taken } = await open()
      const text = aText('c.1')
      fault('loses the answer')
      await expect(carrier.send(text)).rejects.toThrow(/./)
      const answer = await carrier.send({ ...text, attempt: 2 })
      expect(answer).toEqual({ carrierId: expect.any(String) })
      expect(await taken()).toHaveLength(1)
      expect(await carrier.send({ ...text, attempt: 3 })).toEqual(answer)
      expect(await taken()).toHaveLength(1)
    })

    it('TK2 a text that got lost is taken by the next attempt, once', async () => {
      const { carrier, fault, taken } = await open()
      fault('loses the request')
      await expect(carrier.send(aText('c.1'))).rejects.toThrow(/./)
      expect(await taken()).toEqual([])
      await carrier.send(aText('c.1', { attempt: 2 }))
      expect(await taken()).toHaveLength(1)
    })

    it('TK1 a text of the same words as one before is another text, also where its answer was lost', async () => {
      const { carrier, fault, taken } = await open()
      const first = await carrier.send(aText('c.1', { text: 'OK' }))
      if (!('carrierId' in first)) throw new Error('It was not taken.')
      const text = aText('c.2', { text: 'OK', sent: [first.carrierId] })
      fault('loses the request')
      await expect(carrier.send(text)).rejects.toThrow(/./)
      const second = await carrier.send({ ...text, attempt: 2 })
      expect(second).not.toEqual(first)
      expect(await taken()).toHaveLength(2)
    })

    it('TK5 what the carrier will never take is refused', async () => {
      const { carrier, fault, taken } = await open()
      fault('refuses')
      expect(await carrier.send(aText('c.1'))).toMatchObject({ refused: expect.stringMatching(/./) })
      expect(await taken()).toEqual([])
    })

    it('TK5 a carrier that is busy wants to be asked again, and says when', async () => {
      const { carrier, fault, taken } = await open()
      fault('is busy')
      const answer = await carrier.send(aText('c.1'))
      if (!('retryAfter' in answer)) throw new Error('It was not put off.')
      expect(answer.retryAfter).toBeGreaterThanOrEqual(0)
      expect(await taken()).toEqual([])
      await carrier.send(aText('c.1', { attempt: 2 }))
      expect(await taken()).toHaveLength(1)
    })

    it('TK1 texts of several sessions go at once, each once', async () => {
      const { carrier, taken } = await open()
      const numbers = Array.from({ length: 20 }, (_, index) => `+120255501${String(index + 10)}`)
      await Promise.all(numbers.map((to, index) => carrier.send(aText(`c${index}.1`, { to }))))
      expect((await taken()).map(({ to }) => to).sort()).toEqual(numbers)
    })
  })
}
