import { CREDENTIALS } from '@colloquy/test-support/standalone'
import { at, listAt, textAt } from '../../../../examples/quickstart/src/json.ts'
import { attempt as attemptAt } from './attempt.ts'

/** Live agents at a desk whose server dies again and again. */
export interface StormDesk {
  /** Takes the visitor of that session, who waits, and returns the handoff's id. */
  accept(sessionId: string): Promise<string>
  /** Says it once, however often the call has to be made (DK19). */
  say(handoffId: string, text: string): Promise<void>
  /** Leaves; the session ends. */
  leave(handoffId: string): Promise<void>
  /** What was said, as the live agents see it: who, and what. */
  transcript(handoffId: string): Promise<readonly (readonly [string, string])[]>
}

/**
 * How long the desk may take to know of a visitor, milliseconds: while a node stands still for a minute, every third call
 * waits in vain for ten seconds.
 */
const PATIENCE = 180_000

/** Fewer than a live agent may talk to at once. */
const VISITORS_EACH = 10

export function createStormDesk(url: string): StormDesk {
  const attempt = (path: string, body?: unknown) =>
    attemptAt(`${url}/desk/v1/handoffs${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': CREDENTIALS.COLLOQUY_DESK_KEY, 'content-type': 'application/json' },
      body,
    })
  const read = async (path: string): Promise<unknown> => {
    const answer = await attempt(path)
    if (answer === null) return read(path)
    if (answer.status !== 200) throw new Error(`GET ${path}: ${JSON.stringify(answer)}`)
    return answer.json
  }
  const handoffOf = async (sessionId: string, status: string): Promise<string | null> => {
    const list = listAt(await read(`?status=${status}`), 'handoffs')
    const handoff = list.find(one => at(one, 'session_id') === sessionId)
    return handoff === undefined ? null : textAt(handoff, 'handoff_id')
  }

  const served = new Map<string, number>()
  /** The live agent of a session, always the same one. */
  const agentOf = (sessionId: string) => {
    const place = served.get(sessionId) ?? served.size
    served.set(sessionId, place)
    const number = Math.floor(place / VISITORS_EACH)
    return { id: `sam-${number}`, name: `Sam ${number}` }
  }

  return {
    async transcript(handoffId) {
      return listAt(await read(`/${handoffId}`), 'transcript').map(
        line => [textAt(line, 'from'), textAt(line, 'text')] as const,
      )
    },
    async accept(sessionId) {
      for (const end = performance.now() + PATIENCE; performance.now() < end; ) {
        const taken = await handoffOf(sessionId, 'active')
        if (taken !== null) return taken
        // Neither, where a call that seemed to be lost is taken between the two looks.
        const waiting = await handoffOf(sessionId, 'waiting')
        if (waiting !== null) await attempt(`/${waiting}/accept`, { agent: agentOf(sessionId) })
      }
      throw new Error(`The desk does not know of the visitor of ${sessionId}`)
    },
    async say(handoffId, text) {
      const message_id = text.replaceAll(/[^A-Za-z0-9]+/g, '-')
      const said = await attempt(`/${handoffId}/messages`, { text, message_id })
      if (said === null) return this.say(handoffId, text)
      if (said.status !== 201) throw new Error(`messages: ${JSON.stringify(said)}`)
    },
    async leave(handoffId) {
      const left = await attempt(`/${handoffId}/leave`, {})
      if (left === null) await this.leave(handoffId)
    },
  }
}
