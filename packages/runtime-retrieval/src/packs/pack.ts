import type { Phrases } from '../phrases.ts'
import { groupsOf } from '../related/groups-of.ts'

/** Replies of a language to greetings and the like, with the messages that they answer, separated by commas. */
type Exchange = readonly [says: string, to: string]

/** A language's phrases as they are written down: lists of words are separated by commas. */
export interface Pack {
  readonly says: Pick<
    Phrases,
    | 'greeting'
    | 'unknown'
    | 'offer'
    | 'clarify'
    | 'confirm'
    | 'declined'
    | 'misunderstood'
    | 'silence'
    | 'handoff'
    | 'closed'
    | 'back'
    | 'leaveMessage'
    | 'messageTaken'
    | 'cutShort'
    | 'failed'
    | 'eventReceived'
  >
  readonly smallTalk: readonly Exchange[]
  readonly fillers: string
  readonly yes: string
  readonly no: string
  readonly corrections: string
  readonly first: string
  readonly second: string
  readonly people: string
  readonly followUps: string
  readonly references: string
  readonly conjunctions: string
  readonly commonWords: string
  /** Groups of related words, one a line. */
  readonly related: string
}

const list = (text: string): readonly string[] => text.split(/[,،、] ?/).filter(one => one !== '')

/**
 * Returns the phrases of a language. It knows no aspects: further questions are answered by the words that they share.
 */
export const phrasesOf = (pack: Pack): Phrases => ({
  ...pack.says,
  smallTalk: pack.smallTalk.map(([says, to]) => ({ says, to: list(to) })),
  fillers: list(pack.fillers),
  yes: list(pack.yes),
  no: list(pack.no),
  corrections: list(pack.corrections),
  choices: [list(pack.first), list(pack.second)],
  people: list(pack.people),
  followUps: list(pack.followUps),
  references: list(pack.references),
  conjunctions: list(pack.conjunctions),
  commonWords: list(pack.commonWords),
  aspects: [],
  related: groupsOf(pack.related),
})
