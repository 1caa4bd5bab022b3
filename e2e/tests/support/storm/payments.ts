import { CREDENTIALS } from '@colloquy/test-support/standalone'
import { at, textAt } from '../../../../examples/quickstart/src/json.ts'
import { attempt } from './attempt.ts'

/** A provider of payments whose reports may have to be made again. */
export interface StormPayments {
  /** Reports that the deposit of that session was paid, until the server has taken it. */
  report(sessionId: string): Promise<void>
}

const QUERY =
  'event_id_location=payload&event_id_path=payment.reference&account_id=demo&project_id=PROJECT-DEMO'

export function createStormPayments(url: string): StormPayments {
  const eventIdOf = async (sessionId: string): Promise<string> => {
    const answer = await attempt(`${url}/v3/ws-demo/PROJECT-DEMO/conversations/${sessionId}`, {
      method: 'GET',
      headers: { 'x-api-key': CREDENTIALS.COLLOQUY_PROJECT_KEY },
    })
    if (answer === null) return eventIdOf(sessionId)
    if (at(answer.json, 'state.deposit_event_id') === undefined)
      throw new Error(`No deposit is under way in ${sessionId}: ${JSON.stringify(answer)}`)
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
  return { report: async sessionId => tell(await eventIdOf(sessionId)) }
}
