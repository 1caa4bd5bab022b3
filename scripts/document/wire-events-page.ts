import { CLOSE_CODES, CLOSE_TEXTS, type CloseReason } from '../../packages/core/src/protocol/close-codes.ts'
import {
  CLIENT_EVENT_TYPES,
  type ClientEventType,
  createEventNames,
  EVENT_TYPES,
  type EventType,
} from '../../packages/core/src/protocol/event-names.ts'
import { DEFAULT_BRAND } from '../../packages/core/src/settings/brand.ts'
import { MADE, table } from './table.ts'
import { wireExamples } from './wire-examples.ts'

/** What a client means by each event. */
const MEANS: Readonly<Record<ClientEventType, string>> = {
  HEARTBEAT: 'The client is there. Comes back to the sender alone.',
  REQUEST_AI_AGENT_JOIN: 'The visitor asks for the agent, which never joins by itself.',
  USER_MESSAGE: 'The visitor says something to the owner of the session.',
  USER_TYPING: 'The visitor types, or stopped. Told to live agents alone.',
  USER_END_SESSION: 'The visitor ends the session.',
}

/** What the server means by each event; null for what it sends to no visitor. */
const SAYS: Readonly<Record<EventType, string | null>> = {
  EVENT_BATCH: 'The first frame, and the rest of a long log: what the client has not had.',
  SESSION_START: 'The session has begun; what it can do.',
  REQUEST_AI_AGENT_JOIN: 'The echo of the join.',
  USER_MESSAGE: 'The echo of the message, with the id that the platform gave it.',
  USER_END_SESSION: 'The echo of the end.',
  USER_TYPING: null,
  HEARTBEAT: 'The answer to a heartbeat, with the payload that the client gave it.',
  AI_AGENT_JOINED: 'The agent serves the visitor.',
  AI_AGENT_THINKING: 'The agent has begun a reply.',
  AI_AGENT_MESSAGE: 'A reply, in a session without streaming.',
  AI_AGENT_MESSAGE_CHUNK: 'A piece of a reply, in a session with streaming; the last one is complete.',
  AI_AGENT_TRIGGERED_HANDOFF: 'The agent hands the visitor over.',
  AI_AGENT_LEFT: 'The agent no longer serves the visitor.',
  HANDOFF_ACCEPTED: 'The visitor is in the queue for a person.',
  HANDOFF_QUEUE_STATUS: 'The place in the queue.',
  HANDOFF_FAILED: 'No person can come.',
  HANDOFF_TIMEOUT: 'No person came in time.',
  CLIENT_HANDOFF_REQUIRED: 'The client is to hand the visitor over by itself.',
  LIVE_AGENT_JOINED: 'A person serves the visitor.',
  LIVE_AGENT_TYPING: 'The person types, or stopped.',
  LIVE_AGENT_MESSAGE: 'The person says something.',
  LIVE_AGENT_LEFT: 'The person has left.',
  LANGUAGE_CHANGED: 'The agent speaks another language from now on.',
  SYSTEM_MESSAGE: 'Something was not taken, or failed; the text is for the visitor.',
  SESSION_IDLE_WARNING: 'The session ends soon, because the visitor is silent.',
  SESSION_END: 'The session is over; the socket closes.',
}

/** Why the platform closes a socket. */
const CLOSES: Readonly<Record<CloseReason, string>> = {
  ended: 'The session has ended.',
  going_away: 'The server is going away. Connect again, with the cursor.',
  key_revoked: "The API key of a live agent's client was revoked, or has expired.",
  too_large: 'The client sent a frame that is too large.',
  internal: "Something failed that is not the client's fault.",
  too_slow: 'The client does not read what it is sent. Connect again, with the cursor.',
  session_unknown: 'The session is not known any more: its connector was revoked, or has expired.',
}

/** A frame whose ids are counted anew, so that the page does not tell how many ids were drawn before. */
function json(frame: object): string {
  const ids = new Map<string, string>()
  const counted = JSON.stringify(frame, null, 2).replace(
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    id => {
      const known = ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`
      ids.set(id, known)
      return known
    },
  )
  return `\`\`\`json\n${counted}\n\`\`\`\n`
}

interface Frame {
  readonly type: string
  readonly payload: object
}

const length = (frame: Frame): number => JSON.stringify(frame).length

/**
 * The longest example of an event; of chunks one that is not complete and one that is.
 * @throws Error where the conversations have none
 */
function examplesOf(frames: readonly Frame[], name: string): string {
  const all = frames.filter(({ type }) => type === name)
  const complete = (frame: Frame): unknown => Reflect.get(frame.payload, 'is_complete')
  const kinds = [...new Set(all.map(complete))].map(kind => all.filter(frame => complete(frame) === kind))
  if (kinds.length === 0) throw new Error(`No conversation of the examples has the event ${name}.`)
  const longest = kinds.flatMap(kind =>
    [...kind].sort((one, other) => length(other) - length(one)).slice(0, 1),
  )
  return longest.map(json).join('\n')
}

/** The reference page about what goes over the socket of messaging. */
export async function wireEventsPage(): Promise<string> {
  const { sent, received } = await wireExamples()
  const names = createEventNames(DEFAULT_BRAND)
  const fromClient = CLIENT_EVENT_TYPES.map(type => {
    const name = names.wire(type)
    return `### ${name}\n\n${MEANS[type]}\n\n${examplesOf(sent, name)}`
  })
  const fromServer = EVENT_TYPES.flatMap(type => {
    const says = SAYS[type]
    const name = names.wire(type)
    return says === null ? [] : [`### ${name} (server)\n\n${says}\n\n${examplesOf(received, name)}`]
  })
  const codes: Readonly<Record<string, number>> = CLOSE_CODES
  const texts: Readonly<Record<string, string>> = CLOSE_TEXTS
  const closes = Object.entries(CLOSES).map(([reason, when]) => [
    String(codes[reason]),
    `\`${texts[reason]}\``,
    when,
  ])
  return [
    `# Wire events

${MADE}

Everything that goes over the socket of messaging, with an example of each. The frames are those of conversations that a platform had while this page was made; its clock stands still between them, and ids are
counted anew in each frame. What the fields mean, what is kept and replayed, and what answers what, is on the page of the contract about [messaging](../contract/messaging.md). \`AI\` in the names is the word of the setting \`brand\`.
`,
    '## From the client\n',
    ...fromClient,
    '## From the server\n\nEvents whose `sequence` is null are not kept.\n',
    ...fromServer,
    `## Close codes\n\n${table(['Code', 'Text', 'When'], closes)}`,
  ].join('\n')
}
