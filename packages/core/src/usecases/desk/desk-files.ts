import type { DeskActor } from '../../domain/conversation/desk-actor.ts'
import type { ConversationEvent } from '../../domain/conversation/event.ts'
import type { SentFile } from '../../domain/conversation/event-payloads.ts'
import { whyNotActive } from '../../domain/conversation/from-live-agents.ts'
import { filesOfEvent } from '../../domain/conversation/sent-files.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { PlatformError } from '../../errors.ts'
import type { Acting, Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { addressOf, type FileAddress } from '../files/file-address.ts'
import { filesOf } from '../files/file-port.ts'
import { type NewFile, nameFiles, storeFile } from '../files/store-file.ts'
import { actorOf, type DeskActing } from './desk-acting.ts'
import { refusalOf } from './desk-handoff.ts'
import { conversationOfHandoff, type NamedHandoff } from './find-handoff.ts'

type Deps = Context & { readonly engine: Pick<Engine, 'load'> }

/**
 * Returns the conversation of a handoff, for the live agent who has the visitor alone.
 *
 * @throws HANDOFF_NOT_FOUND, HANDOFF_CONFLICT, USER_ACCESS_FORBIDDEN
 */
async function attended(deps: Deps, named: NamedHandoff, by: DeskActor): Promise<ConversationState> {
  const state = await conversationOfHandoff(deps, named)
  const refusal = whyNotActive(state, named.handoffId, by)
  if (refusal === null) return state
  throw refusalOf({ status: 'refused', refusal, state }, named.handoffId)
}

/** Keeps the files that a live agent's message names. @throws FILE_NOT_FOUND, FILES_LIMIT, NOT_IMPLEMENTED */
export async function filesToSend(
  deps: Deps,
  named: NamedHandoff,
  ids: readonly string[],
  by: DeskActor,
): Promise<readonly SentFile[]> {
  const { id } = await attended(deps, named, by)
  return nameFiles(deps, id, 'live_agent', ids)
}

/** Refuses a message with files whose id stands for another one (DK19). @throws HANDOFF_CONFLICT */
export function refuseOtherFiles(
  event: ConversationEvent,
  {
    fileIds,
    messageId,
    text,
  }: { readonly fileIds: readonly string[]; readonly messageId: string; readonly text: string },
): void {
  const named = filesOfEvent(event).map(file => file.file_id)
  if (named.join() === fileIds.join() && (text === '' || text === event.payload.text)) return
  const message = `The messageId "${messageId}" stands for another message. Send it with a new id.`
  throw new PlatformError('HANDOFF_CONFLICT', message)
}

/** See `Desk.uploadFile`. */
export async function uploadFile(
  deps: Acting & Deps,
  named: NamedHandoff,
  file: NewFile,
  acting: DeskActing,
): Promise<SentFile> {
  filesOf(deps)
  const state = await attended(deps, named, actorOf(deps.caller, acting))
  return storeFile(deps, state, 'live_agent', file)
}

/** See `Desk.fileAddress`. */
export async function fileAddress(deps: Deps, named: NamedHandoff, fileId: string): Promise<FileAddress> {
  const { accountId, id: conversationId } = await conversationOfHandoff(deps, named)
  return addressOf(deps, { accountId, conversationId }, fileId)
}
