import { CREDENTIALS } from '@colloquy/test-support/standalone'
import { at, listAt, textAt } from '../../../../examples/quickstart/src/json.ts'

/** Live agents at a desk whose server dies again and again. */
export interface StormDesk {
  /** Takes the visitor of that session, who waits, and returns the handoff's id. */
  accept(sessionId: string): Promise<string>
  /** Says it once: after a call without an answer the transcript tells whether it arrived. */
  say(handoffId: string, text: string): Promise<void>
  /** Leaves; the session ends. */
  leave(handoffId: string): Promise<void>
  /** What was said, as the live agents see it: who, and what. */
  transcript(handoffId: string): Promise<readonly (readonly [string, string])[]>
}

/** Pause before a call is made again, milliseconds. */
const PAUSE = 50

const AGENT = { agent: { id: 'sam', name: 'Sam' } }

export function createStormDesk(url: string): StormDesk {
  /** One attempt. Null: nobody knows whether it arrived. */
  const attempt = async (path: string, body?: unknown) => {
    try {
      const response = await fetch(`${url}/desk/v1/handoffs${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'x-api-key': CREDENTIALS.COLLOQUY_DESK_KEY, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, json: text === '' ? null : JSON.parse(text) }
    } catch {
      await new Promise(resolve => setTimeout(resolve, PAUSE))
      return null
    }
  }
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
  const transcript: StormDesk['transcript'] = async handoffId =>
    listAt(await read(`/${handoffId}`), 'transcript').map(
      line => [textAt(line, 'from'), textAt(line, 'text')] as const,
    )

  return {
    transcript,
    async accept(sessionId) {
      const taken = await handoffOf(sessionId, 'active')
      if (taken !== null) return taken
      const waiting = await handoffOf(sessionId, 'waiting')
      if (waiting === null) throw new Error(`The desk does not know of the visitor of ${sessionId}`)
      await attempt(`/${waiting}/accept`, AGENT)
      return this.accept(sessionId)
    },
    async say(handoffId, text) {
      const said = await attempt(`/${handoffId}/messages`, { text })
      if (said?.status === 201) return
      if (said !== null) throw new Error(`messages: ${JSON.stringify(said)}`)
      const arrived = (await transcript(handoffId)).some(([, line]) => line === text)
      if (!arrived) await this.say(handoffId, text)
    },
    async leave(handoffId) {
      const left = await attempt(`/${handoffId}/leave`, {})
      if (left === null) await this.leave(handoffId)
    },
  }
}
