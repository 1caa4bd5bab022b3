import type { AccountId, AgentId } from '../ids.ts'

/** A reply that the live agents of an account share (DK553). */
export interface SharedReply {
  readonly id: string
  readonly accountId: AccountId
  /** The agent whose visitors it is for. Null for those of all agents. */
  readonly agentId: AgentId | null
  /** The word by which live agents find it. */
  readonly code: string
  /** With placeholders in braces. */
  readonly text: string
  /** The language of the text, for example `de`. Null for any. */
  readonly language: string | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Counts its changes, from 1. */
  readonly version: number
}

/** The placeholders of a shared reply, and what each stands for. */
export const REPLY_PLACEHOLDERS = {
  visitor: 'The name of the visitor',
  agent: 'The name of the AI agent',
  me: 'The name of the live agent who has the visitor',
} as const

/** The name of a placeholder. */
export type ReplyPlaceholder = keyof typeof REPLY_PLACEHOLDERS

const isPlaceholder = (name: string): name is ReplyPlaceholder => Object.hasOwn(REPLY_PLACEHOLDERS, name)

/** A word in braces. Anything else in braces is text. */
const IN_BRACES = /\{(\w{1,40})\}/g

/** A known placeholder with a space before it, which goes with an empty value. */
const FILLED = / ?\{(\w{1,40})\}/g

/** Returns the form of a code by which two codes are the same: whatever the case, and however it was typed. */
export const codeKey = (code: string): string => code.normalize('NFKC').toLowerCase().normalize('NFC')

/** Lists the words in braces of a text that are no placeholders, each once, in the order of the text. */
export const unknownPlaceholders = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(IN_BRACES)].map(([, name = '']) => name).filter(name => !isPlaceholder(name))),
]

/** Fills a reply in. An empty value is left out together with one space before it: `Hello {visitor}!` is `Hello!`. */
export const filledReply = (text: string, values: Readonly<Record<ReplyPlaceholder, string>>): string =>
  text.replace(FILLED, (found, name: string) => {
    if (!isPlaceholder(name)) return found
    const value = values[name]
    return value === '' || !found.startsWith(' ') ? value : ` ${value}`
  })

/** Whether a reply is for the visitors of an agent. */
export const isReplyFor = ({ agentId }: Pick<SharedReply, 'agentId'>, visited: AgentId): boolean =>
  agentId === null || agentId === visited
