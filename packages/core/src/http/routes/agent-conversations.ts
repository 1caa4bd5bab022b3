import * as z from 'zod'
import type { Agent } from '../../domain/agent/agent.ts'
import { agentRecordBeginning, beforeAgentEvents } from '../../domain/conversation/agent-record.ts'
import { PlatformError } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import { RECORDING_DIRECTIONS } from '../../ports/recordings.ts'
import type { PlainRecordFilter } from '../../ports/store/records.ts'
import { oneOf } from '../../usecases/shared/one-of.ts'
import { rangedAnswer } from '../ranged-answer.ts'
import { defineRoute, type Route } from '../route.ts'
import { agentsApi, ofAgent } from './agents-api.ts'
import { addressOnWire, fileParam } from './files.ts'
import * as value from './query-values.ts'
import { BY_TURN, type RecordForm, recordAnswer, recordList } from './record-list.ts'

const PATH = '/v1/agents/:agentId/conversations'

/** Nobody's page shows a recording as its own. */
const AUDIO_HEADERS = {
  'Content-Type': 'audio/wav',
  'Content-Disposition': 'attachment; filename="recording.wav"',
} as const

const formOf = ({ settings: { brand } }: Pick<Platform, 'settings'>): RecordForm => ({
  ...{ beginning: agentRecordBeginning(brand), beforeEvents: beforeAgentEvents(brand), eventsOf: BY_TURN },
})

/**
 * Counts the records that a filter selects, which are at least `from`. Probes doubled positions, then those between
 * them.
 */
async function countOf({ reading }: Pick<Platform, 'reading'>, filter: PlainRecordFilter, from: number) {
  const isThere = async (place: number): Promise<boolean> => {
    for await (const { records } of reading.newest(filter, place, 1)) return records.length > 0
    return false
  }
  let [least, step] = [from, 1]
  while (await isThere(least + step - 1)) {
    least += step
    step *= 2
  }
  for (let most = least + step - 1; least < most; ) {
    const middle = Math.floor((least + most) / 2)
    if (await isThere(middle)) least = middle + 1
    else most = middle
  }
  return least
}

export function existing(agent: Agent | null): Agent {
  if (agent === null) throw new PlatformError('PROJECT_NOT_FOUND', 'There is no agent of that id.')
  return agent
}

/** An agent's conversations, with a key of the account (contract/conversations.md). */
export const agentConversationRoutes: readonly Route[] = [
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: PATH,
    operation: 'listAgentConversations',
    summary: 'List the conversations of an agent in an environment, newest first',
    query: z.object({
      clientEnv: value.environment,
      deploymentId: value.text.exactOptional(),
      limit: value.integer(1, 5000).default(100),
      offset: value.integer(0, Number.MAX_SAFE_INTEGER).default(0),
    }),
    async handle({ platform, agent, query: { clientEnv: environment, limit, offset, ...rest } }) {
      const { accountId, id: agentId } = existing(agent)
      const filter = { accountId, agentId, environment, ...rest }
      const slices = platform.reading.newest(filter, offset, limit)
      return recordList(slices, limit, {
        ...formOf(platform),
        turns: id => platform.reading.turns(accountId, agentId, id),
        async endOf({ more }, records) {
          const next = offset + records
          const isAll = !more && (records > 0 || offset === 0)
          const count = isAll ? next : await countOf(platform, filter, more ? next : 0)
          return `,"count":${count},"limit":${limit},"offset":${offset}${more ? `,"next_offset":${next}` : ''}`
        },
      })
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: `${PATH}/:recordId`,
    operation: 'readAgentConversation',
    summary: 'Read one conversation of an agent, with its turns',
    params: ofAgent.params.extend({ recordId: z.string() }),
    async handle({ platform, agent, params }) {
      const { accountId, id } = existing(agent)
      const { recordId } = params
      const record = await platform.reading.record(accountId, id, recordId)
      if (record === null)
        throw new PlatformError('CONVERSATIONS_NOT_FOUND', 'The agent has no conversation of that id.')
      return recordAnswer(record, formOf(platform), () => platform.reading.turns(accountId, id, recordId))
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: `${PATH}/:recordId/audio`,
    operation: 'readAgentConversationAudio',
    summary: 'Listen to a conversation of an agent, as WAV',
    params: ofAgent.params.extend({ recordId: z.string() }),
    query: z.object({
      direction: oneOf(RECORDING_DIRECTIONS).default('combined'),
      redacted: value.boolean.default(false),
    }),
    ...{ isNoted: true, isPlayed: true },
    async handle({ platform, agent, params, query: { direction, redacted }, request }) {
      const { accountId, id: agentId } = existing(agent)
      const wanted = { accountId, agentId, conversationId: params.recordId, direction, redacted }
      const { bytes, read, tag } = await platform.reading.audio(wanted)
      if (bytes === null || tag === null) return { status: 200, chunks: read(), headers: AUDIO_HEADERS }
      return rangedAnswer(request, { bytes, read, tag }, AUDIO_HEADERS)
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: `${PATH}/:recordId/files/:fileId`,
    operation: 'readConversationFileAddress',
    summary: 'Get an address of a file of a conversation, which expires',
    params: ofAgent.params.extend({ recordId: z.string(), ...fileParam }),
    async handle({ platform, agent, params: { fileId, recordId: conversationId }, request }) {
      const { accountId, id: agentId } = existing(agent)
      const address = await platform.reading.fileAddress({ accountId, agentId, conversationId, fileId })
      return { status: 200, json: addressOnWire(address, request) }
    },
  }),
]
