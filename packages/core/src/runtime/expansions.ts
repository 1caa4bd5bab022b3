import { properName } from '../domain/agent/proper-name.ts'

/** What an instruction in a topic's `actions` asks the runtime to do. */
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

const ATTRIBUTE = /\{\{\s*attr\s*:\s*([^{}]*?)\s*\}\}/gu
const ACTION = /\{\{\s*(fn|ho)\s*:\s*([^{}]*?)\s*\}\}/gu

/** The value under the name, or under one that is written with other code points (AG38). */
function attributeOf(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  if (Object.hasOwn(attributes, name)) return attributes[name]
  const proper = properName(name)
  return Object.entries(attributes).find(([key]) => properName(key) === proper)?.[1]
}

/**
 * Replaces `{{attr:name}}` by the variant's attribute value, once: what a value holds is not expanded again. For
 * greeting, behavior and actions; never for a topic's `content` (contract/agents.md, Expansions in agent text).
 */
export function expandAttributes(text: string, attributes: Readonly<Record<string, string>>): ExpandedText {
  const unknown = new Set<string>()
  const expanded = text.replaceAll(ATTRIBUTE, (_, name: string) => {
    const value = attributeOf(attributes, name)
    if (value === undefined) unknown.add(name)
    return value ?? ''
  })
  return { text: expanded, unknown: [...unknown] }
}

/**
 * The calls and hand-overs that a topic's `actions` ask for with `{{fn:name}}` and `{{ho:destination}}`, in the order
 * of the text. All other words of it are instructions for language models. Empty names ask for nothing.
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
  return text.replaceAll(ACTION, (_, kind: string, name: string) => {
    if (name === '') return ''
    return say(kind === 'fn' ? { type: 'function', name } : { type: 'handoff', destination: name })
  })
}
