import { projectTurn } from '../../../packages/core/src/domain/conversation/project-turn.ts'
import { createPlatform, type PlatformOptions } from '../../../packages/core/src/platform.ts'
import type { Store } from '../../../packages/core/src/ports/store/store.ts'
import {
  ACCOUNT,
  AGENT,
  aConversation,
  type ConversationFixture,
  createFakeClock,
  createScriptedRuntime,
  START,
} from '../../../packages/core/src/testing/index.ts'
import type { RecordQuery } from '../../../packages/core/src/usecases/records/reading.ts'
import type { SemanticQuery } from '../../../packages/core/src/usecases/records/semantic-search.ts'
import { createToyEmbedder } from './toy-embedder.ts'

/** The usual agent's live records of all times. */
export const LIVE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const

/** A turn of a user's words and the agent's. */
export const said = (user: string, agent = '') => ({
  record: projectTurn({ userInput: user, userInputAt: 0, agentResponse: agent, agentResponseAt: 0 }),
  details: {},
})

/** All log entries, in order. */
export type Told = readonly [level: string, message: string, fields: Readonly<Record<string, unknown>>]

/** A platform over a store with the toy embedder, on a clock that stands until it is moved. */
export function openBench(
  store: Store,
  options: Partial<PlatformOptions> = {},
  { toy = createToyEmbedder(), clock = createFakeClock() } = {},
) {
  const told: Told[] = []
  const tell =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      told.push([level, message, fields])
    }
  const platform = createPlatform({
    store,
    clock,
    runtime: createScriptedRuntime({}, clock),
    embedder: toy.embedder,
    // Conversations are written into the store, of which nobody tells the process.
    wakeInterval: 500,
    log: { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') },
    ...options,
  })
  return {
    ...toy,
    platform,
    told,
    clock,
    create: (id: string, values: ConversationFixture) =>
      store.conversations.create(aConversation(id, values)),
    /** The messages of the log about embedding. */
    messages: () => told.map(([, message]) => message),
    /** Lets time pass until the embedder is asked for nothing more. */
    async embedAll(): Promise<void> {
      for (let before = -1; before < toy.asked.length; ) {
        before = toy.asked.length
        await clock.advance(500)
      }
    },
    /** The ids that a search finds. */
    async search(
      text: string,
      { speaker = 'either', ...query }: Partial<RecordQuery> & Partial<Pick<SemanticQuery, 'speaker'>> = {},
    ): Promise<readonly string[]> {
      const asked = { ...LIVE, ...query, semantic: { text, speaker } }
      const page = await platform.reading.records(asked, { offset: 0 }, 1_000)
      return page.records.map(({ id }) => id)
    },
  }
}

export { START }
