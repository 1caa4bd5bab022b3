/** A frame of audio, milliseconds. */
export const FRAME_MS = 20
/** The audio of a sentence. */
export const REPLY_MS = 1_500
/** A visitor speaks for a time, and is silent while the reply is spoken. */
export const ROUND = { voiceMs: 600, allMs: 5_000 }
/** Units of time of RTP with Opus in a second. */
export const RTP_RATE = 48_000
