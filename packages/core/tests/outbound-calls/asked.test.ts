import { createTestPlatform } from '@colloquy/test-support/platform'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CallStanding } from '../../src/ports/call-provider.ts'
import { createScriptedCallProvider, createScriptedRuntime } from '../../src/testing/index.ts'
import { HOUR, startCalls } from './support.ts'

/** Longer than `callSilence` and the pause of the workers. */
const SILENT = 130_000

describe('a provider that is asked how calls stand', () => {
  it('OC16 is asked of a call that is silent for `callSilence`, again and again, until it is over', async () => {
    const { clock, place, platform, provider } = await startCalls({ callSilence: 30_000 })
    const { id } = await place()
    await clock.advance(29_000)
    expect(provider.questions).toEqual([])
    await clock.advance(2_000)
    expect(provider.questions).toMatchObject([{ id, providerId: 'CA-1' }])
    await clock.advance(5 * 60_000)
    const often = provider.questions.length
    expect(often).toBeGreaterThan(4)
    expect(often).toBeLessThan(13)
    await platform.calls.ended({ id })
    await clock.advance(HOUR)
    expect(provider.questions).toHaveLength(often)
  })

  it('OC16 is not asked of a call of which something is heard, or of which it gave no id', async () => {
    const { clock, platform, provider, store, ...started } = await startCalls()
    const { id } = await started.place()
    await clock.advance(50_000)
    await platform.calls.ringing({ id })
    await clock.advance(50_000)
    await platform.calls.answered({ id })
    await clock.advance(59_000)
    expect(provider.questions).toEqual([])
    await platform.calls.ended({ id })
    provider.script('refuses')
    await started.place().catch(() => undefined)
    provider.script('loses the answer')
    const losing = started.place().catch(() => undefined)
    await platform.calls.ringing({ id: provider.asked.at(-1)?.id ?? id })
    await losing
    await clock.advance(SILENT)
    expect(provider.questions).toEqual([])
    expect(await store.conversations.outboundCalls.due(clock.now(), 9)).toEqual([])
  })

  it('OC16 of two processes one asks', async () => {
    const { clock, place, provider, store } = await startCalls()
    const other = createScriptedCallProvider()
    const { platform } = createTestPlatform({
      ...{ store, clock, runtime: createScriptedRuntime({}, clock), callProvider: other },
    })
    onTestFinished(() => platform.close())
    await place()
    await clock.advance(SILENT)
    expect(provider.questions.length + other.questions.length).toBeLessThanOrEqual(2)
    expect(provider.questions.length + other.questions.length).toBeGreaterThan(0)
  })

  it('OC16 one without `status` is not asked, and calls wait for reports alone', async () => {
    const { status: _, ...callProvider } = createScriptedCallProvider()
    const { clock, errors, place, platform, status } = await startCalls({ callProvider, longestCall: HOUR })
    const { id } = await place()
    await platform.calls.answered({ id })
    await clock.advance(HOUR - 1_000)
    expect(await status(id)).toMatchObject({ phase: 'answered' })
    await clock.advance(SILENT)
    expect(await status(id)).toMatchObject({ phase: 'failed' })
    expect(errors).toEqual([])
  })

  it.each([
    [{ type: 'queued' }, 'queued', ''],
    [{ type: 'ringing' }, 'calling', ''],
    [{ type: 'answered' }, 'answered', ''],
    [{ type: 'ended' }, 'failed', 'The call was not answered.'],
    [{ type: 'ended', reason: 'Voicemail.' }, 'failed', 'Voicemail.'],
    [{ type: 'failed', reason: 'Busy.' }, 'failed', 'Busy.'],
    [{ type: 'unknown' }, 'failed', 'The call provider does not know the call.'],
  ] as const)('OC16 its answer %j is taken as a report', async (standing, phase, reason) => {
    const { clock, conversation, errors, place, provider, status } = await startCalls()
    const { id } = await place()
    provider.stand(id, standing)
    await clock.advance(SILENT)
    expect(await status(id)).toEqual({ phase, reason })
    expect((await conversation(id)) !== null).toBe(phase === 'answered')
    expect(errors).toEqual([])
  })

  it('OC16 an answer that is older than what was reported changes nothing, and an end ends the conversation', async () => {
    const { clock, conversation, place, platform, provider, status } = await startCalls()
    const { id } = await place()
    await platform.calls.answered({ id })
    provider.stand(id, { type: 'ringing' })
    await clock.advance(SILENT)
    expect(provider.questions.length).toBeGreaterThan(0)
    expect(await status(id)).toMatchObject({ phase: 'answered' })
    expect(await conversation(id)).toMatchObject({ endedAt: null })
    provider.stand(id, { type: 'ended' })
    await clock.advance(SILENT)
    expect(await status(id)).toEqual({ phase: 'succeeded', reason: '' })
    expect((await conversation(id))?.endedAt).not.toBeNull()
  })

  it('OC16 one that fails, or hangs for `callDeadline`, changes nothing and is asked again', async () => {
    const { clock, errors, place, provider, status } = await startCalls()
    const { id } = await place()
    provider.stand(id, { type: 'ringing' })
    provider.scriptStatus('fails', 'hangs')
    await clock.advance(119_000)
    expect(errors).toMatchObject([{ error: { message: 'The provider does not answer.' } }])
    expect(await status(id)).toMatchObject({ phase: 'queued' })
    await clock.advance(20_000)
    expect(provider.questions[1]?.signal.aborted).toBe(true)
    const late = 'The call provider did not say within 10000 ms how a call stands.'
    expect(errors[1]).toMatchObject({ error: { message: late }, where: 'call provider' })
    expect(await status(id)).toMatchObject({ phase: 'queued' })
    await clock.advance(SILENT)
    expect(await status(id)).toMatchObject({ phase: 'calling' })
    expect(errors).toHaveLength(2)
  })

  it('OC16 an answer that says nothing is told to the host, and changes nothing', async () => {
    const answers: unknown[] = [null, {}, 'answered', { type: 'over' }, { type: 'failed' }]
    answers.push({ type: 'failed', reason: '' }, { type: 'ended', reason: 'x'.repeat(1_001) })
    const said = [...answers]
    const callProvider = { ...createScriptedCallProvider(), status: async () => Object(said.shift()) }
    const { clock, errors, place, status } = await startCalls({ callProvider })
    const { id } = await place()
    while (said.length > 0) await clock.advance(60_000)
    await clock.settle()
    expect(await status(id)).toMatchObject({ phase: 'queued' })
    expect(errors).toHaveLength(answers.length)
    const wrong = { message: expect.stringContaining('must say how a call stands') }
    for (const error of errors) expect(error).toMatchObject({ error: wrong, where: 'call provider' })
  })

  it('OC16 a platform that is closed gives its question up', async () => {
    const { clock, errors, place, platform, provider } = await startCalls()
    await place()
    provider.scriptStatus('hangs')
    await clock.advance(61_000)
    expect(provider.questions).toHaveLength(1)
    await platform.close()
    expect(provider.questions[0]?.signal.aborted).toBe(true)
    expect(errors).toEqual([])
  })

  it('OC16 before a call fails as overdue it is asked for once more', async () => {
    const cases: readonly (readonly [CallStanding, string])[] = [
      [{ type: 'ended' }, 'succeeded'],
      [{ type: 'answered' }, 'failed'],
    ]
    for (const [standing, phase] of cases) {
      const { clock, place, platform, provider, status } = await startCalls({
        ...{ longestCall: HOUR, callSilence: 10 * HOUR },
      })
      const { id } = await place()
      await platform.calls.answered({ id })
      provider.stand(id, standing)
      await clock.advance(HOUR - 1)
      expect(provider.questions).toEqual([])
      await clock.advance(60_001)
      expect(provider.questions).toHaveLength(1)
      expect(await status(id)).toMatchObject({ phase })
    }
  })

  it('OC16 a reader of a call that is overdue asks where no worker has, and what it is told stays', async () => {
    const { clock, place, platform, provider, status, store } = await startCalls({
      ...{ workers: false, longestCall: HOUR },
    })
    const [one, two] = [await place(), await place()]
    for (const { id } of [one, two]) await platform.calls.answered({ id })
    provider.stand(one.id, { type: 'ended' })
    provider.scriptStatus('says', 'fails')
    await clock.advance(HOUR)
    expect(await status(one.id)).toMatchObject({ phase: 'succeeded' })
    const failed = { phase: 'failed', reason: 'The end of the call was not reported.' }
    expect(await status(two.id)).toEqual(failed)
    expect(provider.questions).toHaveLength(2)
    expect(await platform.calls.ended({ id: two.id })).toBe(false)
    expect(await store.conversations.outboundCalls.find(two.id)).toMatchObject(failed)
  })
})
