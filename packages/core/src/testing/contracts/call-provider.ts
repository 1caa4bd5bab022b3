import { describe, expect, it } from 'vitest'
import type { CallProvider, CallStanding, CallToPlace } from '../../ports/call-provider.ts'

/** The faults that a provider under test can have at the next request that would make a call. */
export type CallFault = 'refuses' | 'hangs'

/** A provider, and the other side of it. */
export interface CallProviderUnderTest {
  readonly provider: CallProvider
  /** Returns the calls that the other side has accepted, in order. */
  taken(): Promise<readonly Pick<CallToPlace, 'id' | 'to' | 'from'>[]>
  fault(fault: CallFault): void
}

/** A provider that reports the state of calls, and the other side of it. */
export interface AskedProviderUnderTest extends CallProviderUnderTest {
  readonly provider: Required<CallProvider>
  /** Sets the state of the call with that provider's id on the other side. */
  stand(providerId: string, type: Exclude<CallStanding['type'], 'unknown'>): void
  /** Makes the other side hang at the next question; resolves once it has it. */
  hangAtQuestion(): Promise<void>
}

/** The contract's access to providers. */
export interface CallProviderFactory {
  /** One whose other side has no calls yet; it is closed when its test is over. */
  open(): Promise<CallProviderUnderTest>
  /** The same, for a provider with `status`. @default the tests of `status` (CP6) are not declared */
  openAsked?(): Promise<AskedProviderUnderTest>
}

const idOf = (index: number): string => `OUT-00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

const aCall = (index: number, values: Partial<CallToPlace> = {}): CallToPlace => ({
  ...{ id: idOf(index), to: '+12025550111', from: '+12025550100', environment: 'live', variantId: null },
  ...{ metadata: {}, encryption: 'tls_srtp', signal: new AbortController().signal },
  ...values,
})

/**
 * Declares the tests of the `CallProvider` port (rules CP1 to CP6) for one adapter. To be called at the top level of a
 * vitest file.
 */
export function testCallProvider(name: string, { open, openAsked }: CallProviderFactory): void {
  describe(`${name}: call provider`, () => {
    it('CP1 a call is taken with its id and numbers, and each has an id of the provider', async () => {
      const { provider, taken } = await open()
      const first = await provider.place(aCall(1, { metadata: { order: '12', 'ä "b"': '漢字 😀' } }))
      const second = await provider.place(
        aCall(2, { from: null, variantId: 'VARIANT-1', encryption: 'udp_rtp' }),
      )
      for (const { providerId } of [first, second]) expect(providerId).toMatch(/^.{1,1000}$/s)
      expect(first.providerId).not.toBe(second.providerId)
      expect(await taken()).toEqual([
        { id: idOf(1), to: '+12025550111', from: '+12025550100' },
        { id: idOf(2), to: '+12025550111', from: expect.toSatisfy(from => from === null || from !== '') },
      ])
    })

    it('CP2 a call that is not taken rejects, and the next one is taken', async () => {
      const { fault, provider, taken } = await open()
      fault('refuses')
      await expect(provider.place(aCall(1))).rejects.toThrow(/./)
      expect(await taken()).toEqual([])
      await provider.place(aCall(2))
      expect(await taken()).toHaveLength(1)
    })

    it('CP2 a call whose time is over rejects, and is not made', async () => {
      const { fault, provider, taken } = await open()
      fault('hangs')
      const controller = new AbortController()
      const placing = provider.place(aCall(1, { signal: controller.signal }))
      placing.catch(() => undefined)
      controller.abort(new Error('Too late.'))
      await expect(placing).rejects.toThrow(/./)
      expect(await taken()).toEqual([])
    })

    it('CP2 a call whose time was over before is not made', async () => {
      const { provider, taken } = await open()
      const signal = AbortSignal.abort(new Error('Too late.'))
      await expect(provider.place(aCall(1, { signal }))).rejects.toThrow(/./)
      expect(await taken()).toEqual([])
    })

    it('CP1 several calls are placed at once, each once', async () => {
      const { provider, taken } = await open()
      const indexes = Array.from({ length: 20 }, (_, index) => index)
      const placed = await Promise.all(indexes.map(index => provider.place(aCall(index))))
      expect(new Set(placed.map(({ providerId }) => providerId)).size).toBe(20)
      expect((await taken()).map(({ id }) => id).toSorted()).toEqual(indexes.map(idOf))
    })

    if (openAsked !== undefined) {
      it('CP6 it is told how a call stands that was taken, each by itself, as often as it is asked', async () => {
        const { provider, stand } = await openAsked()
        const { signal } = new AbortController()
        const [one, other] = [await provider.place(aCall(1)), await provider.place(aCall(2))]
        const ask = (index: number, { providerId }: { readonly providerId: string }) =>
          provider.status({ id: idOf(index), providerId, signal })
        for (const type of ['queued', 'ringing', 'answered', 'ended'] as const) {
          stand(one.providerId, type)
          expect(await ask(1, one)).toMatchObject({ type })
          expect(await ask(1, one)).toMatchObject({ type })
          expect(await ask(2, other)).toEqual({ type: 'queued' })
        }
        stand(other.providerId, 'failed')
        expect(await ask(2, other)).toEqual({ type: 'failed', reason: expect.stringMatching(/^.{1,1000}$/s) })
        expect(await ask(1, one)).toMatchObject({ type: 'ended' })
      })

      it('CP6 a call that the provider has never had is unknown', async () => {
        const { provider } = await openAsked()
        await provider.place(aCall(1))
        const { signal } = new AbortController()
        for (const providerId of ['CA-none', 'CA/../../none?'])
          expect(await provider.status({ id: idOf(2), providerId, signal })).toEqual({ type: 'unknown' })
      })

      it('CP6 a question whose time is over rejects, and the next one is answered', async () => {
        const { hangAtQuestion, provider } = await openAsked()
        const { providerId } = await provider.place(aCall(1))
        const before = AbortSignal.abort(new Error('Too late.'))
        await expect(provider.status({ id: idOf(1), providerId, signal: before })).rejects.toThrow(/./)
        const hanging = hangAtQuestion()
        const controller = new AbortController()
        const asking = provider.status({ id: idOf(1), providerId, signal: controller.signal })
        asking.catch(() => undefined)
        await hanging
        controller.abort(new Error('Too late.'))
        await expect(asking).rejects.toThrow(/./)
        const { signal } = new AbortController()
        expect(await provider.status({ id: idOf(1), providerId, signal })).toEqual({ type: 'queued' })
      })
    }
  })
}
