import type { Topic } from '../../../domain/agent/content.ts'
import type { AgentContent, AgentRuntime } from '../../../ports/agent-runtime.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Store } from '../../../ports/store/store.ts'

/** The task of the runtime under test if a visitor writes exactly `message`. */
export interface RuntimeTask {
  readonly message: string
  /** The name of the topic that answers. Its content, as the turn's own agent has it, is what is to be said. */
  readonly topic: string
  /**
   * The function that is called before, with `{}`; the topic's actions name it. Its call may speak, delay or end
   * automatically.
   */
  readonly calls: string | null
  /** The destination of the handoff afterwards. The topic's actions name it. */
  readonly handsOffTo: string | null
}

/** The contract's access to the runtime under test. */
export interface RuntimeUnderTest {
  /**
   * A runtime that shares nothing with others. One that answers from the agent's content needs no more than that. One
   * that follows a script, or asks a model, is given a script or a model that does the `tasks`: it finds the active
   * topic in the turn's content, and says that it does not know when no topic fits. When an external event comes, the
   * function that expected it is called again.
   */
  make(tasks: readonly RuntimeTask[], clock: Clock): AgentRuntime | Promise<AgentRuntime>
  /** A store that holds nothing, for the part of the contract that runs over the platform. */
  openStore(): Promise<Store>
}

/** The attribute of the contract's agent, and what nothing but greeting, behavior and actions may show of it. */
export const ATTRIBUTES = { hotel_name: 'Harbour Hotel' } as const

/** The greeting of the contract's agent; the second attribute has no value. */
export const GREETING = 'Welcome to {{attr:hotel_name}}{{attr:stars}}!'

/** A function that no topic names: nothing may call it. */
export const FORBIDDEN_FUNCTION = 'erase_everything'

const topic = (name: string, content: string, queries: readonly string[], actions = ''): Topic => ({
  name,
  content,
  actions,
  exampleQueries: [...queries],
  isActive: true,
})

/** The topics of the contract's agent. */
export const TOPICS: readonly Topic[] = [
  topic('Breakfast', 'Breakfast is served from seven to ten in the garden room.', [
    'When is breakfast?',
    'What time is breakfast served?',
  ]),
  topic('Pets', 'Dogs are welcome for fifteen euros a night.', ['Can I bring my dog?', 'Are pets allowed?']),
  topic('Sign', 'The sign above the door says {{attr:hotel_name}}.', [
    'What does the sign say?',
    'What stands above the door?',
  ]),
  topic(
    'Note the room',
    'Your room is noted.',
    ['Please note my room', 'Remember my room number'],
    '{{fn:note_room}}',
  ),
  topic('Print the bill', 'Your bill lies at reception.', ['Please print my bill'], '{{fn:print_bill}}'),
  topic(
    'Pay the deposit',
    'The deposit is fifty euros.',
    ['I want to pay the deposit'],
    '{{fn:take_deposit}}',
  ),
  topic('Leave', 'Goodbye.', ['Please end the conversation'], '{{fn:end_visit}}'),
  topic(
    'Speak to a person',
    'Somebody will be with you in a moment.',
    ['Let me speak to a person', 'I want to talk to a human'],
    '{{ho:reception}}',
  ),
  { ...topic('Old pool', 'It lies behind the orangery.', ['Where is the old pool?']), isActive: false },
]

const task = (message: string, topicName: string, more: Partial<RuntimeTask> = {}): RuntimeTask => ({
  message,
  topic: topicName,
  calls: null,
  handsOffTo: null,
  ...more,
})

/** The tasks of the contract, by subject. */
export const TASKS = {
  breakfast: task('When is breakfast?', 'Breakfast'),
  pets: task('Can I bring my dog?', 'Pets'),
  sign: task('What does the sign say?', 'Sign'),
  /** The function returns, and says nothing. */
  note: task('Please note my room', 'Note the room', { calls: 'note_room' }),
  /** The function fails. */
  bill: task('Please print my bill', 'Print the bill', { calls: 'print_bill' }),
  /** The function expects an external event and delays the response; it speaks when the event comes. */
  deposit: task('I want to pay the deposit', 'Pay the deposit', { calls: 'take_deposit' }),
  /** The function ends the conversation. */
  leave: task('Please end the conversation', 'Leave', { calls: 'end_visit' }),
  person: task('Let me speak to a person', 'Speak to a person', { handsOffTo: 'reception' }),
  /** Its topic is inactive. */
  pool: task('Where is the old pool?', 'Old pool'),
} as const satisfies Readonly<Record<string, RuntimeTask>>

/** All tasks. */
export const ALL_TASKS: readonly RuntimeTask[] = Object.values(TASKS)

/**
 * Returns the content of the contract's agent at one revision; what topics say may differ from revision to revision.
 */
export const contentOf = (revision: string, topics: readonly Topic[] = TOPICS): AgentContent => ({
  key: `${'PROJECT-CONTRACT'}@${revision}`,
  behavior: 'You are the desk of {{attr:hotel_name}}.',
  responseSettings: { greeting: GREETING, languageCode: 'en-GB', voiceId: null, modelId: null },
  topics: [...topics]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((one, index) => ({ ...one, id: `TOPIC-${index}` })),
  tree: new Map(),
})
