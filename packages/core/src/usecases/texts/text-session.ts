import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import { initialState } from '../../domain/conversation/initial-state.ts'
import type { ConversationState, TextState } from '../../domain/conversation/state.ts'
import { newText, silenceOfTextsDueAt } from '../../domain/conversation/texts.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Participant } from '../../domain/rollout/rollout.ts'
import { type PinningParts, pinningOver } from '../shared/pinning.ts'
import type { TextParts } from './text-parts.ts'

/** Returns the id by which an event of the log recognises a text of the carrier's. */
export const textEventId = (carrierId: string): string => `text-${carrierId}`

/** The start of a session. */
export interface SessionStart {
  readonly id: ConversationId
  readonly connector: TelephonyConnector
  readonly pair: Pick<TextState, 'ours' | 'theirs' | 'channel' | 'service'>
  readonly direction: 'inbound' | 'outbound'
  /** @default {} */
  readonly integrationAttributes?: JsonObject
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

/** Opens a session in which nothing was said yet. */
export async function startTextSession(
  { clock, engine, settings }: TextParts,
  { connector, direction, id, integrationAttributes = {}, pair }: SessionStart,
  pinning: Pinning,
): Promise<void> {
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
  await engine.start(state)
}

/** Reports whether a session takes texts. An expired one does not, even if nothing has noticed yet. */
export function takesTexts(state: ConversationState | null, now: number): state is ConversationState {
  if (!state?.text || state.endedAt !== null) return false
  const mayBeWarned = state.text.replied && state.text.warnedAt === null
  return mayBeWarned || now < (silenceOfTextsDueAt(state) ?? now)
}
