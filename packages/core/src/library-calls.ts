import { type Gate, partOf } from './calls/part.ts'
import type { Caller } from './domain/audit/audit.ts'
import { accessCalls } from './usecases/access/access.ts'
import { agentCalls } from './usecases/agents/agents.ts'
import { alertCalls } from './usecases/alerts/alerts.ts'
import { auditCalls } from './usecases/audit/audit-log.ts'
import { outboundCalls } from './usecases/calls/calls.ts'
import { chatCalls } from './usecases/chat/chat.ts'
import { debugChatCalls } from './usecases/debug-chat/debug-chat.ts'
import { deskCalls } from './usecases/desk/desk.ts'
import { liveAgentCalls } from './usecases/desk/live-agent-callbacks.ts'
import { externalEventCalls } from './usecases/external-events/external-events.ts'
import { messagingCalls } from './usecases/messaging/messaging.ts'
import { readingCalls } from './usecases/records/reading.ts'
import { conversationCalls } from './usecases/records/records.ts'
import { telephonyCalls } from './usecases/telephony/telephony.ts'
import { textCalls } from './usecases/texts/texts.ts'
import { voiceCalls } from './usecases/voices/voices.ts'
import { webhookCalls } from './usecases/webhooks/webhooks.ts'

/** Every call of a platform, part by part: what the library, its reference page and its refusals are made of (EM8). */
export const LIBRARY_CALLS = {
  access: accessCalls,
  telephony: telephonyCalls,
  voices: voiceCalls,
  agents: agentCalls,
  texts: textCalls,
  calls: outboundCalls,
  chat: chatCalls,
  debugChat: debugChatCalls,
  messaging: messagingCalls,
  reading: readingCalls,
  conversations: conversationCalls,
  externalEvents: externalEventCalls,
  desk: deskCalls,
  liveAgents: liveAgentCalls,
  webhooks: webhookCalls,
  alerts: alertCalls,
  audit: auditCalls,
} as const

type Tables = typeof LIBRARY_CALLS

/** The dependencies of the calls of a table. */
type DepsOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly input: (deps: infer Deps) => unknown }
    ? Deps
    : never
}[keyof Table]

/** Makes the parts of a platform, all behind one gate; each once, then for every caller. */
export function partsBehind<Parts extends { readonly [Name in keyof Tables]: object }>(gate: Gate) {
  function part<Name extends keyof Tables>(
    name: Name,
    deps: DepsOf<Tables[Name]> & object,
    actingAs?: (deps: DepsOf<Tables[Name]>, caller: Caller) => object,
  ): (caller: Caller) => Parts[Name]
  function part(
    name: keyof Tables,
    deps: object,
    actingAs?: (deps: object, caller: Caller) => object,
  ): (caller: Caller) => object {
    return partOf(name, LIBRARY_CALLS[name], deps, { gate, ...(actingAs && { actingAs }) })
  }
  return part
}
