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

/** The figures of a run, by their units. Frames are late at the caller; over WebRTC that is measured at the server too. */
export const VOICE_UNITS = {
  ended: 'calls that ended',
  turn: 'ms, end of a turn to its first audio, p95',
  late: '% of a call’s frames late by more than 20 ms, p95',
  /** By the clock of the call, as the server hands them to its UDP socket. */
  sent: '% of a call’s packets that left more than 20 ms after they were due, p95',
  memory: 'kB of memory each',
  cpu: 'CPU ms for a second of a call',
} as const

/** The figures of each way. */
export const VOICE_FIGURES = {
  sockets: ['ended', 'turn', 'late', 'memory', 'cpu'],
  webrtc: ['ended', 'turn', 'sent', 'late', 'memory', 'cpu'],
} as const
