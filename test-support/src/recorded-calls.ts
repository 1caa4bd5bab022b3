import { expect, onTestFinished } from 'vitest'
import type { PlatformOptions } from '../../packages/core/src/platform.ts'
import { createMemoryFiles } from '../../packages/core/src/testing/index.ts'
import type { CallRecorder } from '../../packages/core/src/transport.ts'
import { createDeskBench } from './desk-bench.ts'
import { openVisitor, type Visitor } from './visitor.ts'

/** A moment of sound: a sample of the visitor and one of the agent. */
export const moments = (...pairs: readonly (readonly [number, number])[]): Uint8Array => {
  const bytes = new Uint8Array(pairs.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [at, [visitor, agent]] of pairs.entries()) {
    view.setInt16(at * 4, visitor, true)
    view.setInt16(at * 4 + 2, agent, true)
  }
  return bytes
}

/** Returns chunks as one. */
export async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk.slice())
  return new Uint8Array(Buffer.concat(parts))
}

export const FIRST = moments([101, 201], [102, 202])
export const SECOND = moments([103, 203])

/** A platform that records calls, with a visitor. */
export async function recording(options: Partial<PlatformOptions> = {}) {
  const bench = createDeskBench()
  const keep = createMemoryFiles()
  const platform = bench.start({ recordings: { keep }, ...options })
  onTestFinished(() => platform.close())
  const visitor = await openVisitor(platform, bench.clock, false, { visitor: { id: 'vera-7' } })
  await visitor.join()

  /** The recorder that a gateway of calls is given. */
  async function recorderOf({ accessToken, id }: Visitor): Promise<CallRecorder> {
    const handshake = await platform.messaging.handshake({ sessionId: id, accessToken, cursor: null })
    if ('status' in handshake) throw new Error(handshake.message)
    const connection = handshake.openCall({ send() {}, close() {}, drained: () => Promise.resolve() })
    onTestFinished(() => connection.closed())
    if (connection.recorder === null) throw new Error('Nothing is recorded.')
    return connection.recorder
  }

  const recorder = await recorderOf(visitor)
  const begin = async (of = recorder) => {
    const { clock } = bench
    const consent = { by: 'visitor', how: 'button', at: clock.now() } as const
    const kept = await of.begin({ call: '0-call', at: clock.now(), consent })
    if (kept === null) throw new Error('No recording was begun.')
    return kept
  }
  const where = [visitor.accountId, visitor.agentId, visitor.id] as const
  const list = () => platform.reading.recordings(...where)
  async function heard(direction: 'combined' | 'user' | 'agent' = 'combined', redacted = false) {
    const [accountId, agentId, conversationId] = where
    const wanted = { accountId, agentId, conversationId, direction, redacted }
    const sound = await platform.reading.audio(wanted)
    const bytes = await collected(sound.read())
    expect(sound.bytes).toBe(bytes.length)
    const view = new DataView(bytes.buffer)
    const samples = Array.from({ length: (bytes.length - 44) / 2 }, (_, at) =>
      view.getInt16(44 + at * 2, true),
    )
    return { bytes, view, samples }
  }
  return { ...bench, keep, platform, visitor, recorder, recorderOf, begin, list, heard, where }
}
