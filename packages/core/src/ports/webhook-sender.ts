import type { AttemptOutcome } from '../domain/webhook/attempt.ts'

/** Sends requests to receivers of webhooks. Says what may be reached; what an answer means is not its business. */
export interface WebhookSender {
  /**
   * Returns why nothing will ever be sent to that address, as far as the address alone shows it; null when it may be
   * tried.
   */
  objection(url: string): string | null
  /**
   * Makes one POST request and returns the outcome; never rejects. Follows no redirect, and reads only a limited part
   * of the response. Returns its body only if the account that chose the address may read it: never one from inside the
   * host's network, unless the host allows that. Never connects to a forbidden address, whatever a name resolves to at
   * that moment: the outcome is then `refused`. When the signal aborts before the status is there it is `failed`, and
   * `reason` is the signal's reason.
   */
  send(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly signal: AbortSignal
  }): Promise<AttemptOutcome>
}
