import type { JsonObject } from '../json.ts'
import { jsonBytes } from '../utf8-bytes.ts'
import { letAgentJoin } from './agent-joins.ts'
import type { Command } from './command.ts'
import { addDeliveries } from './deliveries.ts'
import {
  beginDraft,
  type Decision,
  type Draft,
  decide,
  effect,
  journal,
  type Moment,
  newestSequence,
  patch,
  refuse,
} from './draft.ts'
import { isTooMuch } from './given.ts'
import { allows, move } from './move.ts'
import { addInput, pendingMessageCount, startNext } from './pending-inputs.ts'
import { type Rating, withRating } from './rating.ts'
import { filesBeside } from './sent-files.ts'
import { isFurther, isSilence } from './spoken.ts'
import type { ConversationState } from './state.ts'
import { takesText } from './texts.ts'

type Join = Extract<Command, { type: 'join' }>
type Message = Extract<Command, { type: 'message' }>
type End = Extract<Command, { type: 'end' }>
type Typing = Extract<Command, { type: 'typing' }>

/**
 * Notes that the visitor is here. Uses the pinned deployment. If none is pinned, or turns choose again, it uses the
 * one that the command brings.
 */
function arrive(state: ConversationState, { pinning }: Join | Message, { now }: Moment): Draft {
  const draft = beginDraft(state)
  if (pinning === null) return patch(draft, { seenAt: now, idleWarned: false })
  const { record } = state
  return patch(draft, {
    seenAt: now,
    idleWarned: false,
    deploymentId: pinning.deploymentId,
    revision: pinning.revision,
    agentName: pinning.agentName,
    agentAvatarUrl: pinning.agentAvatarUrl ?? '',
    record: {
      language: record.language ?? pinning.languageCode,
      variantId: pinning.variantId,
      variantName: pinning.variantName,
      ...(pinning.rollout !== undefined && { rollout: pinning.rollout }),
    },
  })
}

/** Brings the AI agent in; it greets only the first time. */
function bringAgentIn(draft: Draft, moment: Moment): Draft {
  const joined = letAgentJoin(draft, 'agent_joins', moment)
  if (draft.state.greeted) return startNext(joined, moment)
  return addInput(patch(joined, { greeted: true }), { type: 'greeting', turnId: moment.id }, moment)
}

/** The visitor asks for the AI agent. On a joined session it is echoed and changes nothing. */
export function join(state: ConversationState, command: Join, moment: Moment): Decision {
  if (state.endedAt !== null) return refuse('ended')
  const echoed = journal(arrive(state, command, moment), 'REQUEST_AI_AGENT_JOIN', {}, command)
  if (!allows(state, 'agent_joins')) return decide(echoed)
  if (echoed.state.deploymentId === null) return refuse('no_deployment')
  return decide(bringAgentIn(echoed, moment))
}

/**
 * The visitor says something: it is in the log before it is shown to anyone, and its owner is named in the same write.
 */
export function message(state: ConversationState, command: Message, moment: Moment): Decision {
  if (state.endedAt !== null || !takesText(state, moment.now)) return refuse('ended')
  if (state.owner === 'unassigned' && state.text === null) return refuse('not_joined')
  // Only the AI agent answers silence: a live agent is not told of it, and an agent who left is not brought back.
  if (state.owner !== 'ai_agent' && isSilence(command.custom)) return refuse('not_joined')
  if (pendingMessageCount(state) >= moment.rules.queuedMessages) return refuse('overloaded')
  if (isTooMuch(state, command.given, moment.rules.variableBytes)) return refuse('too_large')
  const said = { message_id: moment.id, text: command.text, ...besideText(command), ...filesBeside(command) }
  const echoed = journal(arrive(state, command, moment), 'USER_MESSAGE', said, command)
  switch (state.owner) {
    case 'queue':
    case 'live_agent':
      return decide(
        addDeliveries(
          echoed,
          [
            {
              type: 'forward',
              messageId: moment.id,
              sequence: newestSequence(echoed),
              sender: command.sender,
            },
          ],
          moment,
        ),
      )
    case 'ai_agent':
      return decide(answer(echoed, command, moment))
    // A first message is answered, not greeted (TX1).
    case 'unassigned':
    case 'client':
    case 'nobody':
      if (echoed.state.deploymentId === null) return refuse('no_deployment')
      return decide(answer(bringAgentBack(echoed, moment), command, moment))
  }
}

/** Returns the extra fields of a chat's message that are kept. */
const besideText = ({ metadata, request }: Message) => ({
  ...(metadata === undefined ? {} : { metadata }),
  ...(request === undefined ? {} : { request }),
})

/** A message is its own greeting: an agent that comes back for it answers it and does not greet. */
const bringAgentBack = (draft: Draft, moment: Moment): Draft =>
  bringAgentIn(patch(draft, { greeted: true }), moment)

const answer = (draft: Draft, command: Message, moment: Moment): Draft =>
  addInput(
    draft,
    {
      type: 'message',
      turnId: moment.id,
      messageId: moment.id,
      sequence: messageSequence(draft, moment.id),
      receivedAt: moment.at,
      sender: command.sender,
      ...(command.given === undefined ? {} : { given: command.given }),
      ...(command.redacted === undefined ? {} : { redacted: command.redacted }),
    },
    moment,
  )

/** Returns the sequence of the message in the log. The agent may have joined after it in the same decision. */
function messageSequence(draft: Draft, messageId: string): number {
  const behind = draft.events.toReversed().findIndex(event => event.payload.message_id === messageId)
  return newestSequence(draft) - behind
}

/** The visitor ends the conversation. */
export function end(state: ConversationState, command: End, moment: Moment): Decision {
  if (!allows(state, 'visitor_ends')) return refuse('ended')
  const draft = patch(beginDraft(state), { seenAt: moment.now })
  return decide(move(draft, 'visitor_ends', moment, { origin: command }))
}

/** Typing changes nothing. Everyone who serves the visitor is notified. */
export function typing(state: ConversationState, command: Typing): Decision {
  if (state.endedAt !== null) return refuse('ended')
  const draft = beginDraft(state)
  const { handoff } = state
  if (handoff === null || (state.owner !== 'queue' && state.owner !== 'live_agent')) return decide(draft)
  return decide(effect(draft, { type: 'visitor_typing', handoffId: handoff.id, state: command.state }))
}

/** A sign of life. */
export function seen(state: ConversationState, seenAt: number): Decision {
  if (state.endedAt !== null) return refuse('ended')
  if (seenAt <= state.seenAt) return decide(beginDraft(state))
  return decide(patch(beginDraft(state), { seenAt, idleWarned: false }))
}

/** The caller of a turn-based chat is there, and has the replies up to one (TC20). */
export function repliesAsked(
  state: ConversationState,
  { after, seenAt }: Extract<Command, { type: 'replies_asked' }>,
): Decision {
  const { chat } = state
  const told = Math.max(chat?.told ?? 0, Math.min(after, chat?.replies ?? 0))
  const open = state.endedAt === null && seenAt > state.seenAt
  const draft = open ? patch(beginDraft(state), { seenAt, idleWarned: false }) : beginDraft(state)
  return decide(chat === null || told === chat.told ? draft : patch(draft, { chat: { ...chat, told } }))
}

/** The whole context at once: what the one before had and this one has not is gone, and null clears it (MS49). */
export function setContext(state: ConversationState, context: JsonObject | null, { now }: Moment): Decision {
  if (state.endedAt !== null) return refuse('ended')
  return decide(patch(beginDraft(state), { verifiedContext: context, seenAt: now, idleWarned: false }))
}

/** Keeps how far a phone call was heard, and where it has gone. An older mark changes nothing (MS280). */
export function callProgress(
  state: ConversationState,
  { heard, leftFor }: Extract<Command, { type: 'call_progress' }>,
): Decision {
  const isNew = heard !== undefined && (state.heard === undefined || isFurther(heard, state.heard))
  return decide(
    patch(beginDraft(state), {
      ...(isNew ? { heard } : {}),
      ...(leftFor === undefined ? {} : { leftFor }),
    }),
  )
}

/** A rating in place of the one before. A conversation that is open takes it as a sign of life, too (VC25). */
export function rate(state: ConversationState, rating: Rating, { now, rules }: Moment): Decision {
  const metrics = withRating(state.metrics, rating)
  if (jsonBytes(metrics) > rules.variableBytes) return refuse('too_large')
  const seen = state.endedAt === null ? { seenAt: now, idleWarned: false } : {}
  return decide(patch(beginDraft(state), { metrics, ...seen }))
}
