import { properName } from '../domain/agent/proper-name.ts'

/** The action that an instruction in a topic's `actions` asks for. */
export type Action =
  | { readonly type: 'function'; readonly name: string }
  | { readonly type: 'handoff'; readonly destination: string }

/** A text with its attributes put in. */
export interface ExpandedText {
  readonly text: string
  /**
   * Names of attributes that the variant has no value for, each once, in the order of the text; they stand for empty
   * text.
   */
  readonly unknown: readonly string[]
}

/** Characters of values that one text takes: a short text could ask for the longest value thousands of times. */
const MOST_PUT_IN = 1_000_000

const ATTRIBUTE = /\{\{\s*attr\s*:([^{}]*)\}\}/gu
const ACTION = /\{\{\s*(fn|ho)\s*:([^{}]*)\}\}/gu

/**
 * Finds the value under a name, or under one that is written with other code points (AG38). Goes through the attributes
 * once at most, however many names are asked for.
 */
function finder(attributes: Readonly<Record<string, string>>): (name: string) => string | undefined {
  let proper: ReadonlyMap<string, string> | null = null
  return name => {
    if (Object.hasOwn(attributes, name)) return attributes[name]
    // The first one of a name stands.
    proper ??= new Map(
      Object.entries(attributes)
        .toReversed()
        .map(([key, value]) => [properName(key), value]),
    )
    return proper.get(properName(name))
  }
}

/**
 * Replaces `{{attr:name}}` by the variant's attribute value, once: what a value holds is not expanded again. For
 * greeting, behavior and actions; never for a topic's `content` (contract/agents.md, Expansions in agent text). Values
 * above 1,000,000 characters altogether stand for empty text.
 */
export function expandAttributes(text: string, attributes: Readonly<Record<string, string>>): ExpandedText {
  const unknown = new Set<string>()
  const find = finder(attributes)
  let length = 0
  const expanded = text.replaceAll(ATTRIBUTE, (_, written: string) => {
    const name = written.trim()
    const value = find(name)
    if (value === undefined) unknown.add(name)
    length += value?.length ?? 0
    return length > MOST_PUT_IN ? '' : (value ?? '')
  })
  return { text: expanded, unknown: [...unknown] }
}

/**
 * Returns the calls and hand-overs that a topic's `actions` ask for with `{{fn:name}}` and `{{ho:destination}}`, in the
 * order of the text. All other words of it are instructions for language models. Empty names ask for nothing.
 */
export function actionsOf(text: string): readonly Action[] {
  const actions: Action[] = []
  expandActions(text, action => {
    actions.push(action)
    return ''
  })
  return actions
}

/** Replaces each `{{fn:name}}` and `{{ho:destination}}` by words for it; those with empty names by nothing. */
export function expandActions(text: string, say: (action: Action) => string): string {
  return text.replaceAll(ACTION, (_, kind: string, written: string) => {
    const name = written.trim()
    if (name === '') return ''
    return say(kind === 'fn' ? { type: 'function', name } : { type: 'handoff', destination: name })
  })
}
