/** Limits of the socket that no host needs to set; all ours. */
export const PROTOCOL_LIMITS = {
  /** `metadata.custom` of one event, and a heartbeat: characters of all names and values. */
  customLength: 16_384,
  /** Frames of one connection that wait to be handled before it is asked to pause. */
  pauseFrames: 64,
  /** Frames of one connection that wait to be handled before further ones are refused. */
  queuedFrames: 512,
  /** Their characters, all together. */
  queuedLength: 4_194_304,
  /** Heartbeats, typing and unreadable frames, as a multiple of the session's rate limit. */
  signalFactor: 5,
  /**
   * All frames, before they are read: twice the limits of events and signals together, so that most refusals get a
   * reason.
   */
  frameFactor: 12,
} as const
