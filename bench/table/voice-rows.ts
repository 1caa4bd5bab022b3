/**
 * Calls at once, by the ways in which they come. Over WebRTC the callers code and encrypt too, which they do on one
 * core.
 */
export const VOICE_CALLS = { sockets: 100, webrtc: 50 } as const

/** The rows of those calls. */
export const VOICE_ROWS = {
  sockets: `voice, ${VOICE_CALLS.sockets} calls over sockets`,
  webrtc: `voice, ${VOICE_CALLS.webrtc} calls over WebRTC`,
} as const

/** The figures of a run, by their units. */
export const VOICE_UNITS = {
  ended: 'calls that ended',
  turn: 'ms, end of a turn to its first audio, p95',
  late: '% of a call’s frames late by more than 20 ms, p95',
  memory: 'kB of memory each',
  cpu: 'CPU ms for a second of a call',
} as const
