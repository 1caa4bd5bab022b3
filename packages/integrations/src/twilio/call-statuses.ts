import type { CallStanding } from '@colloquy/core'

/** The states of a call by Twilio's status (TW14). */
const STANDINGS = {
  queued: { type: 'queued' },
  initiated: { type: 'queued' },
  ringing: { type: 'ringing' },
  'in-progress': { type: 'answered' },
  // Twilio's words for a call that nobody answered are the ones below: this one was answered.
  completed: { type: 'ended', answered: true },
  busy: { type: 'failed', reason: 'The line was busy.' },
  'no-answer': { type: 'failed', reason: 'Nobody answered.' },
  canceled: { type: 'failed', reason: 'The call was cancelled.' },
  failed: { type: 'failed', reason: 'The call could not be made.' },
} as const satisfies Readonly<Record<string, CallStanding>>

const isStatus = (name: string): name is keyof typeof STANDINGS => Object.hasOwn(STANDINGS, name)

/** Returns the state of a call by Twilio's status; null for an unknown one. */
export const standingOf = (status: string): (typeof STANDINGS)[keyof typeof STANDINGS] | null =>
  isStatus(status) ? STANDINGS[status] : null
