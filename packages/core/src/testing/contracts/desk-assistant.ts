import { describe, expect, it } from 'vitest'
import type { HistoryLine } from '../../ports/agent-runtime.ts'
import type { ConversationToAnswer, DeskAssistant } from '../../ports/desk-assistant.ts'
import { START } from '../fixtures.ts'

/** An assistant, and the other side of it. */
export interface AssistantUnderTest {
  readonly assistant: DeskAssistant
  /** Makes the next question that reaches the other side fail for good, or never be answered. */
  fault(fault: 'fails' | 'hangs'): void
}

/** The contract's access to assistants. */
export interface AssistantFactory {
  /** One that works; it is closed when its test is over. */
  open(): Promise<AssistantUnderTest>
}

const said = (from: HistoryLine['from'], text: string): HistoryLine => ({ from, text, at: START })

const about = (lines: readonly HistoryLine[]): ConversationToAnswer => ({
  ...{ accountId: 'WORKSPACE-ONE', agentId: 'PROJECT-ONE', conversationId: 'AS-1', handoffId: 'AS-1.1' },
  ...{ agentName: 'Ada', reason: 'asked', language: 'en', visitor: null, lines, content: null },
})

const CONVERSATIONS = [
  [],
  [said('visitor', '')],
  [said('ai_agent', 'Welcome.'), said('visitor', 'äöü 漢字 😀 \ud800 "quoted" </end>')],
  [said('visitor', 'x'.repeat(50_000)), said('live_agent', 'One moment.')],
].map(about)

const signal = (): AbortSignal => new AbortController().signal

/**
 * Declares the tests of the `DeskAssistant` port for one adapter. To be called at the top level of a vitest file.
 */
export function testDeskAssistant(name: string, { open }: AssistantFactory): void {
  describe(`${name}: assistant for live agents`, () => {
    it('DK645 any conversation has a summary that is not blank', async () => {
      const { assistant } = await open()
      for (const conversation of CONVERSATIONS)
        expect((await assistant.summarize(conversation, signal())).trim()).not.toBe('')
    })

    it('DK650 for any conversation the replies are texts', async () => {
      const { assistant } = await open()
      for (const conversation of CONVERSATIONS)
        for (const reply of await assistant.suggest(conversation, signal()))
          expect(reply).toBeTypeOf('string')
    })

    it('DK646 a question that the other side fails rejects, and the next one is answered', async () => {
      const { assistant, fault } = await open()
      const [conversation] = CONVERSATIONS
      if (conversation === undefined) throw new Error('There is no conversation.')
      fault('fails')
      await expect(assistant.summarize(conversation, signal())).rejects.toThrow(/./)
      expect(await assistant.summarize(conversation, signal())).toMatch(/./)
      fault('fails')
      await expect(assistant.suggest(conversation, signal())).rejects.toThrow(/./)
    })

    it('DK646 one that hangs ends when its signal aborts, at once if it had before', async () => {
      const { assistant, fault } = await open()
      const [conversation] = CONVERSATIONS
      if (conversation === undefined) throw new Error('There is no conversation.')
      for (const ask of ['summarize', 'suggest'] as const) {
        const controller = new AbortController()
        fault('hangs')
        const asked = assistant[ask](conversation, controller.signal)
        asked.catch(() => undefined)
        controller.abort(new Error('Nobody waits.'))
        await expect(asked).rejects.toThrow(/./)
        await expect(assistant[ask](conversation, AbortSignal.abort(new Error('Gone.')))).rejects.toThrow(/./)
      }
    })
  })
}
