/** A way to have turns with a model whose history is on disk. */
export interface Framework {
  readonly title: string
  /** Work at a turn that the bench does not ask for. */
  readonly more: string
  /** Work that it leaves to its host. */
  readonly less: string
}

/** The subjects of the bench, by the names of their files. */
export const FRAMEWORKS = {
  'colloquy-ai-sdk': {
    title: 'Colloquy with the AI SDK runtime',
    more: 'ordered events, a pinned version of the agent, a lease against two answers, figures, timers of silence, hand-over; the topics and tools of the agent are told to the model',
    less: 'no recall of other conversations',
  },
  colloquy: {
    title: 'Colloquy with a runtime of ten lines',
    more: 'the same without a model: what the platform itself costs',
    less: 'no model, no history for it',
  },
  'ai-sdk': {
    title: 'AI SDK, streaming, history in SQLite by hand',
    more: 'nothing: three statements and one commit a turn',
    less: 'no order of events, no version, no protection against two turns at once',
  },
  langgraph: {
    title: 'LangGraph.js with its SQLite checkpoints',
    more: 'every earlier state is kept whole, and can be gone back to',
    less: 'no hand-over to people, no versions of content',
  },
  mastra: {
    title: 'Mastra with memory in LibSQL',
    more: 'processors and workflows around the model',
    less: 'no hand-over to people, no versions of content',
  },
  voltagent: {
    title: 'VoltAgent with memory in LibSQL',
    more: 'hooks around the model',
    less: 'no hand-over to people, no versions of content; the answer comes before the visitor’s line is on disk',
  },
} as const satisfies Readonly<Record<string, Framework>>

export type FrameworkName = keyof typeof FRAMEWORKS

/** The names of the subjects. */
export const FRAMEWORK_NAMES = Object.keys(FRAMEWORKS) as readonly FrameworkName[]

/** Lines that a conversation has when it is measured. */
export const EARLIER_LINES = 20

/** The row of so many turns at once. */
export const frameworkRow = (atOnce: number): string =>
  `a turn with ${EARLIER_LINES} earlier lines, ${atOnce} at a time`

/** The figures of a row, by their units. */
export const FRAMEWORK_UNITS = {
  cpu: 'CPU µs/turn',
  perSecond: 'turns/s',
  statements: 'statements/turn',
} as const
