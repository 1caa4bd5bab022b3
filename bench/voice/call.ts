import { FRAME_MS, ROUND } from './rates.ts'

/** A frame is late if a player that began with the first one had nothing to play for so long, milliseconds. */
const LATE_MS = 20

/** A caller's line, whatever carries it. */
export interface Line {
  /** Sends 20 milliseconds of a voice, or of silence. */
  send(isVoice: boolean): void
  isOpen(): boolean
  close(): void
}

/** The frames that a caller has heard. */
export function createHearing() {
  let frames = 0
  let late = 0
  let begun = 0
  return {
    /** A piece begins to be heard. */
    begin() {
      begun = performance.now()
    },
    /** @param playedMs position of the frame in its piece */
    frame(playedMs: number) {
      frames++
      if (performance.now() - begun - playedMs > LATE_MS) late++
    },
    found: () => ({ frames, late }),
    forget() {
      frames = 0
      late = 0
    },
  }
}

/** A caller that speaks first after a time, and then in each round. */
export function callOver(
  line: Line,
  hearing: ReturnType<typeof createHearing>,
  sinceMs: number,
  firstMs: number,
) {
  let atMs = sinceMs
  return {
    /** The microphone has heard more. */
    hear(untilMs: number) {
      for (; atMs < untilMs; atMs += FRAME_MS) {
        const saidMs = atMs - sinceMs - firstMs
        if (line.isOpen()) line.send(saidMs > 0 && saidMs % ROUND.allMs < ROUND.voiceMs)
      }
    },
    found: () => ({ ...hearing.found(), open: line.isOpen() }),
    forget: () => hearing.forget(),
    close: () => line.close(),
  }
}
