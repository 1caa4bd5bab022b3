import { createRest, failureOf, type TwilioAccount } from './rest.ts'

/** Transfers a call in progress to a number: resolves when Twilio has taken it. */
export type TwilioTransfer = (to: {
  /** `CA…`: the call in progress. */
  readonly callSid: string
  /** E.164. */
  readonly destination: string
  readonly signal: AbortSignal
}) => Promise<void>

const NUMBER = /^\+[1-9]\d{3,14}$/

/**
 * Transfers calls over Twilio's REST API: the call goes on with TwiML that dials the number (TW21). Pass it as
 * `transfer` to `attachTwilioVoice` of `@colloquy/voice-gateway/twilio`.
 */
export function createTwilioTransfer(account: TwilioAccount): TwilioTransfer {
  const rest = createRest('createTwilioTransfer', account)
  return async ({ callSid, destination, signal }) => {
    // It becomes a part of an XML document.
    if (!NUMBER.test(destination))
      throw new Error('A call is transferred to a number, E.164, such as +12025550111.')
    const answer = await rest.ask(rest.resource(`Calls/${encodeURIComponent(callSid)}.json`), {
      form: new URLSearchParams({ Twiml: `<Response><Dial>${destination}</Dial></Response>` }),
      signal,
    })
    if (!answer.ok) throw failureOf(answer)
  }
}
