import type { DeskAssistant } from '../ports/desk-assistant.ts'

/** The answers of a scripted assistant. */
export interface AssistantScript {
  /** @default a sentence with the number of lines */
  readonly summary?: string
  /** @default two replies */
  readonly replies?: readonly string[]
}

/** An assistant for live agents that answers alike each time, for tests and documents. */
export const createScriptedAssistant = ({ replies, summary }: AssistantScript = {}): DeskAssistant => ({
  summarize: async ({ lines }) => summary ?? `The visitor asks for a person. Lines so far: ${lines.length}.`,
  suggest: async () => replies ?? ['How may I help?', 'I will look into it.'],
})
