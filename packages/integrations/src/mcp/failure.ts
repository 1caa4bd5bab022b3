import { startOf } from '@colloquy/core/runtime'
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { TooLarge } from './bounded-fetch.ts'

/** Characters of a server's own words in an error. */
const LONGEST = 500

/** The reason why something with a server did not work. */
export interface Failure {
  /** In words, without anything that a proxy or the server has sent but its own refusals. */
  readonly reason: string
  /** Whether the connection has become unusable. */
  readonly broken: boolean
}

/** A call whose connection has ended. */
export class Lost extends Error {
  override readonly name = 'Lost'
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.reason)
    this.failure = failure
  }
}

/** The error of the SDK's transport over stdio for a message above its limit. */
const OVERFLOW = /ReadBuffer exceeded/

/** Says what was wrong (MC3, MC15). Bodies of refusals over HTTP are not repeated: they may hold keys. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Lost) return error.failure
  if (error instanceof TooLarge) return { reason: error.message, broken: false }
  if (error instanceof SdkHttpError)
    return { reason: `It answered with status ${error.status}.`, broken: true }
  if (error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed)
    return { reason: 'It cannot be reached, or does not speak MCP.', broken: true }
  if (error instanceof SdkError) {
    const code = error.code.toLowerCase().replaceAll('_', ' ')
    // An invalid result concerns only this call, unless the connection is closed.
    const broken = /closed|connected|send|http/.test(code)
    return { reason: `It cannot be talked to: ${code}.`, broken }
  }
  if (error instanceof ProtocolError) return { reason: startOf(error.message, LONGEST), broken: false }
  if (error instanceof Error && OVERFLOW.test(error.message))
    return { reason: 'A message was larger than allowed.', broken: true }
  if (error instanceof Error && error.name === 'ZodError')
    return { reason: 'Its answer is not what the protocol says.', broken: false }
  return { reason: 'It cannot be reached.', broken: true }
}
