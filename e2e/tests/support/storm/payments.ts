import { CREDENTIALS } from '@colloquy/test-support/standalone'
import { at, textAt } from '../../../../examples/quickstart/src/json.ts'
import { attempt } from './attempt.ts'

/** A provider of payments whose reports may have to be made again. */
export interface StormPayments {
  /**
   * Reports that the deposit of that session was paid, until the server has taken it. False where none is under way,
   * because the function that begins it had no time while the store was away; the visitor is told to try again.
   */
  report(sessionId: string): Promise<boolean>
}

const QUERY =
  'event_id_location=payload&event_id_path=payment.reference&account_id=demo&project_id=PROJECT-DEMO'

export function createStormPayments(url: string): StormPayments {
  const eventIdOf = async (sessionId: string): Promise<string | null> => {
    const answer = await attempt(`${url}/v3/ws-demo/PROJECT-DEMO/conversations/${sessionId}`, {
      method: 'GET',
      headers: { 'x-api-key': CREDENTIALS.COLLOQUY_PROJECT_KEY },
    })
    if (answer === null) return eventIdOf(sessionId)
    if (at(answer.json, 'state.deposit_event_id') === undefined) {
      const tries = at(answer.json, 'function_events')
      const last: unknown = Array.isArray(tries) ? tries.at(-1) : undefined
      if (/took longer than \d+ ms/.test(String(at(last, 'error')))) return null
      throw new Error(`No deposit is under way in ${sessionId}: ${JSON.stringify(answer)}`)
    }
    return textAt(answer.json, 'state.deposit_event_id')
  }
  const tell = async (reference: string): Promise<void> => {
    const answer = await attempt(`${url}/v1/external-events/webhook?${QUERY}`, {
      method: 'POST',
      headers: {
        'x-api-key': CREDENTIALS.COLLOQUY_EXTERNAL_EVENTS_KEY,
        'content-type': 'application/json',
      },
      body: { status: 'paid', payment: { reference } },
    })
    if (answer === null) return tell(reference)
    if (answer.status !== 201) throw new Error(`external event: ${JSON.stringify(answer)}`)
  }
  return {
    async report(sessionId) {
      const reference = await eventIdOf(sessionId)
      if (reference !== null) await tell(reference)
      return reference !== null
    },
  }
}
