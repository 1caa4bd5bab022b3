import type { DeskFrame } from '../../packages/core/src/http/answers/desk-events.ts'
import type { CloseReason } from '../../packages/core/src/protocol/close-codes.ts'
import type { ClientEventType, EventType } from '../../packages/core/src/protocol/event-names.ts'

/** Purposes of each event and each code of the sockets, in a sentence. */

/** Meaning of each event of a client. */
export const MEANS: Readonly<Record<ClientEventType, string>> = {
  HEARTBEAT: 'The client is there. Comes back to the sender alone.',
  REQUEST_AI_AGENT_JOIN: 'The visitor asks for the agent, which never joins unasked.',
  USER_MESSAGE: 'The visitor says something to the owner of the session.',
  USER_TYPING: 'The visitor types, or stopped. Told to live agents alone.',
  USER_END_SESSION: 'The visitor ends the session.',
  SET_CONTEXT:
    'What the back end of the page has signed of the conversation. Answered by nothing, whatever the token is.',
  LINK_TO_WEBRTC_CONVERSATION:
    'A call over WebRTC with this id, of the same connector, speaks in this session. Answered by nothing.',
}

/** Meaning of each event of the server; null if it is sent to no visitor. */
export const SAYS: Readonly<Record<EventType, string | null>> = {
  EVENT_BATCH: 'The first frame, and the rest of a long log: what the client has not had.',
  SESSION_START: 'The session has begun, or goes on after a live agent has left; what it can do.',
  REQUEST_AI_AGENT_JOIN: 'The echo of the join.',
  USER_MESSAGE: 'The echo of the message, with the id that the platform gave it.',
  USER_END_SESSION: 'The echo of the end.',
  USER_TYPING: null,
  USER_PRESENCE: null,
  DESK_NOTE: null,
  DESK_SUMMARY: null,
  SET_CONTEXT: null,
  LINK_TO_WEBRTC_CONVERSATION: null,
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
  CLIENT_HANDOFF_REQUIRED: 'The client is to hand the visitor over itself.',
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
export const CLOSES: Readonly<Record<CloseReason, string>> = {
  ended: 'The session has ended.',
  going_away: 'The server is going away. Connect again, with the cursor.',
  key_revoked: "The API key of a live agent's client was revoked, or has expired.",
  flooding: 'The client goes on sending although it sends faster than it may.',
  too_large: 'The client sent a frame that is too large.',
  internal: "Something failed that is not the client's fault.",
  too_slow: 'The client does not read what it is sent. Connect again, with the cursor.',
  session_unknown: 'The session is not known any more: its connector was revoked, or has expired.',
}

/** Meaning of each event of the desk's socket. */
export const DESK_SAYS: Readonly<Record<DeskFrame['type'], string>> = {
  'handoff.waiting': 'A visitor waits for a live agent.',
  'handoff.accepted': 'A live agent has taken the visitor.',
  'handoff.offered': 'A waiting visitor is offered to a live agent, or is for anyone again (null).',
  'handoff.visitor_message': 'The visitor says something.',
  'handoff.visitor_typing': 'The visitor types, or stopped.',
  'handoff.visitor_presence': 'The visitor has no connection any more, or is back.',
  'handoff.summary':
    'The summary for live agents is asked for, done, or has failed. The visitor never gets it.',
  'handoff.note': 'A colleague has written a note. The visitor never gets it.',
  'colleague.away': 'A live agent is away since then, or takes visitors again (null).',
  'handoff.ended': 'The handoff is over.',
}
