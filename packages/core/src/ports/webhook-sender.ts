import type { AttemptOutcome } from '../domain/webhook/attempt.ts'

/** Sends requests to receivers of webhooks. Says what may be reached; what an answer means is not its business. */
export interface WebhookSender {
  /** Why nothing will ever be sent to that address, as far as the address alone tells; null when it may be tried. */
  objection(url: string): string | null
  /**
   * Makes one POST request and tells what came of it; never rejects. Follows no redirect, and reads no more than a
   * bound of the answer. Passes its body on only where whoever chose the address may read it: never one that came from
   * inside the host's network, unless the host wants that. Reaches no address that may not be reached, whatever a name
   * resolves to at that moment: that is `refused`. When the signal aborts before the status is there it is `failed`
   * with `reason` the signal's reason.
   */
  send(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly signal: AbortSignal
  }): Promise<AttemptOutcome>
}
