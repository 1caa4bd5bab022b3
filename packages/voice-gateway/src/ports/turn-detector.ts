/** 20 milliseconds of what the microphone hears. */
export interface HeardWindow {
  /** Samples of 16 bits at 16,000 Hz. */
  readonly samples: Int16Array
  /** The utterance's text so far; empty if nothing is known. */
  readonly partial: string
}

/** A detector's verdict on a window. */
export interface Verdict {
  /** `silence`: nobody speaks. `speech`: an utterance goes on, with short pauses. `end`: it ended with this window. */
  readonly kind: 'silence' | 'speech' | 'end'
  /** Milliseconds of this utterance in which there was a voice, pauses left out. 0 in silence. */
  readonly voicedMs: number
  /** Milliseconds since the last window with a voice. */
  readonly quietMs: number
}

/**
 * Decides when a visitor begins to speak and when their turn is over. A pure function over a state of its own, so that
 * the same audio gives the same turns.
 */
export interface TurnDetector<State = unknown> {
  /** The state at the beginning of a call. */
  readonly initial: State
  observe(state: State, heard: HeardWindow): readonly [State, Verdict]
}
