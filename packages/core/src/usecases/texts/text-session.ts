import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { Command, Pinning } from '../../domain/conversation/command.ts'
import { initialState } from '../../domain/conversation/initial-state.ts'
import type { TextState } from '../../domain/conversation/state.ts'
import { newText } from '../../domain/conversation/texts.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Participant } from '../../domain/rollout/rollout.ts'
import type { TextPair } from '../../domain/text/text-pair.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { type PinningParts, pinningOver } from '../shared/pinning.ts'
import type { TextParts } from './text-parts.ts'

/** Returns the id by which an event of the log recognises a text of the carrier's. */
export const textEventId = (carrierId: string): string => `text-${carrierId}`

/** The start of a session, with what is said first. */
export interface SessionStart {
  readonly id: ConversationId
  readonly connector: TelephonyConnector
  readonly pair: Pick<TextState, 'ours' | 'theirs' | 'channel' | 'service'>
  readonly direction: 'inbound' | 'outbound'
  /** @default {} */
  readonly integrationAttributes?: JsonObject
  readonly pinning: Pinning
  readonly first: Extract<Command, { readonly type: 'message' | 'open_text' }>
  /** The pair of numbers, with this session. */
  readonly textPair: TextPair
}

/** Returns the deployment that the session runs (TX4). @throws CHAT_DRAFT_NOT_EXIST */
export const pinText = async (
  deps: PinningParts,
  connector: TelephonyConnector,
  participant: Participant,
): Promise<Pinning> => ({
  ...(await pinningOver(deps, connector, participant)),
  languageCode: connector.ttsLangCode,
})

/** Opens a session, its pair of numbers and what is said first in one write. */
export function startTextSession(
  { clock, engine, settings }: TextParts,
  { connector, direction, first, id, integrationAttributes = {}, pair, pinning, textPair }: SessionStart,
): ReturnType<Engine['start']> {
  const { accountId, agentId, asrLangCode, environment, ttsLangCode } = connector
  const { channel, ours, theirs } = pair
  const inbound = direction === 'inbound'
  const state = initialState(
    {
      ...{ id, kind: 'text', accountId, agentId, environment, pinning, channel, direction },
      idleTimeout: settings.textIdle,
      handoffSettings: { mode: 'server', queueName: '', timeoutSeconds: settings.handoffTimeoutSeconds },
      connectorId: connector.id,
      integrationAttributes,
      ...{ asrLanguage: asrLangCode, ttsLanguage: ttsLangCode },
      fromNumber: inbound ? theirs : ours,
      toNumber: inbound ? ours : theirs,
      text: newText({ ...pair, grace: settings.textGrace }),
    },
    clock.now(),
  )
  return engine.start(state, { first, textPair })
}
