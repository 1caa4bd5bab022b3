import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_RULES } from '../../src/domain/conversation/default-rules.ts'
import type { Effect } from '../../src/domain/conversation/draft.ts'
import { splitText, TEXT_LENGTH, textsOfEvent } from '../../src/domain/conversation/split-text.ts'
import { pauseAfter } from '../../src/domain/conversation/texts.ts'
import { wakeAt } from '../../src/domain/conversation/wake.ts'
import {
  type ConversationHistory,
  conversationHistories,
  type HistoryStep,
  newConversations,
} from '../../src/testing/arbitraries/index.ts'

const RULES = { ...DEFAULT_RULES, textAttempts: 4 }
const GRACE = 60_000
const IDLE = 600_000

const histories = conversationHistories({
  start: newConversations('text'),
  rules: RULES,
  untilItsEnd: true,
  maxLength: 120,
})

const prove = (check: (history: ConversationHistory) => void): void =>
  fc.assert(fc.property(histories, check), { numRuns: runs(400, 3_000) })

const taken = ({ decision }: HistoryStep) => (decision.refused === null ? decision : null)

const sends = (step: HistoryStep) =>
  (taken(step)?.effects ?? []).filter(
    (effect): effect is Extract<Effect, { type: 'send_text' }> => effect.type === 'send_text',
  )

/** Texts that a history's log says, in order. */
const said = ({ events }: ConversationHistory): readonly string[] =>
  events.flatMap(({ type, payload }) =>
    type === 'AI_AGENT_MESSAGE' || type === 'LIVE_AGENT_MESSAGE' ? textsOfEvent(payload) : [],
  )

describe('texts of a session', () => {
  it('TX20 whatever happens: every text said is tried, in order, one at a time, each attempt counted before', () => {
    prove(history => {
      const tried: string[] = []
      for (const step of history.steps) {
        for (const { number, attempt } of sends(step)) {
          const first = step.after.text?.outgoing[0]
          expect(first).toMatchObject({ number, attempts: attempt })
          tried.push(`${number}/${attempt}`)
        }
        expect(sends(step).length).toBeLessThanOrEqual(1)
      }
      // No attempt is asked for twice, none is left out, and none of a later text comes before an earlier one's.
      expect(new Set(tried).size).toBe(tried.length)
      const order = tried.map(one => one.split('/').map(Number))
      for (const [index, [number = 0, attempt = 0]] of order.entries()) {
        const [before = 0, earlier = 0] = order[index - 1] ?? []
        expect(number === before ? attempt === earlier + 1 : number > before && attempt === 1).toBe(true)
        expect(attempt).toBeLessThanOrEqual(RULES.textAttempts)
      }
      expect(new Set(order.map(([number]) => number)).size).toBe(said(history).length)
    })
  })

  it('TX20 each text comes to one end, in order, and waits for something until then; nothing is lost', () => {
    prove(({ end, events: _, steps, ...rest }) => {
      const ended: number[] = []
      for (const { after, before } of steps) {
        const gone = (before.text?.outgoing ?? []).filter(
          ({ number }) => !(after.text?.outgoing ?? []).some(one => one.number === number),
        )
        ended.push(...gone.map(({ number }) => number))
        const waits = (after.text?.outgoing.length ?? 0) > 0
        expect(after.text?.sendAt !== null).toBe(waits)
        if (waits) expect(wakeAt(after)).toBeLessThanOrEqual(after.text?.sendAt ?? 0)
      }
      expect(end.text?.outgoing).toEqual([])
      expect(ended).toEqual(said({ end, events: _, steps, ...rest }).map((_, index) => index + 1))
      expect(end.text?.newest).toBe(ended.length)
    })
  })

  it('TX21 what was sent is never tried again, whichever attempt says that it was sent', () => {
    prove(({ steps }) => {
      const sent = new Set<number>()
      for (const step of steps) {
        for (const { number } of sends(step)) expect(sent.has(number)).toBe(false)
        const { command } = step
        const isNews =
          (command.type === 'text_done' && command.outcome.type === 'sent') || command.type === 'text_status'
        if (isNews && taken(step) !== null) sent.add(command.number)
      }
    })
  })

  it('TX32 a status never goes back, and stays with its text', () => {
    prove(({ steps }) => {
      const final = new Map<number, string>()
      for (const { after } of steps)
        for (const { number, status } of after.text?.settled ?? []) {
          const known = final.get(number)
          if (known !== undefined) expect(status).toBe(known)
          if (status !== 'sent') final.set(number, status)
        }
    })
  })
})

describe('silence of a session', () => {
  it('TX10 a user who has replied is warned once a silence, and who has not is not', () => {
    prove(({ steps }) => {
      for (const step of steps) {
        const { after, asked, before, command } = step
        const warned = before.text?.warnedAt === null && after.text?.warnedAt !== null
        if (!warned) continue
        expect(command.type).toBe('wake')
        expect(before.text?.replied).toBe(true)
        expect(asked.now).toBeGreaterThanOrEqual(before.seenAt + IDLE)
        expect(taken(step)?.events.map(({ payload }) => payload.text)).toContain(RULES.textWarning)
      }
    })
  })

  it('TX10 silence ends a session only after the grace that follows a warning, however late that was', () => {
    prove(({ steps }) => {
      for (const { after, asked, before } of steps) {
        if (after.endReason !== 'REASON_USER_ABANDONED' || before.endedAt !== null) continue
        const from = before.text?.replied === true ? before.text.warnedAt : before.seenAt + IDLE
        expect(from).not.toBeNull()
        expect(asked.now).toBeGreaterThanOrEqual((from ?? asked.now + 1) + GRACE)
      }
    })
  })

  it('TX10 a message of the user takes the warning back, and the silence counts anew', () => {
    prove(({ steps }) => {
      for (const { after, asked, command, decision } of steps)
        if (command.type === 'message' && decision.refused === null && after.endedAt === null)
          expect(after).toMatchObject({ seenAt: asked.now, text: { replied: true, warnedAt: null } })
    })
  })
})

it('TX21 pauses between attempts double up to five minutes, and are as long as the carrier asks for up to that', () => {
  expect([1, 2, 3, 9, 10, 1_000].map(attempts => pauseAfter(attempts))).toEqual([
    ...[1_000, 2_000, 4_000, 256_000, 300_000, 300_000],
  ])
  expect([pauseAfter(1, 30_000), pauseAfter(1, 1e9), pauseAfter(3, 1)]).toEqual([30_000, 300_000, 4_000])
})

it('TX26 parts of a long text are the text, none longer than carriers take, none cut within a character', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6_000, size: 'max' }),
    fc
      .array(fc.constantFrom('word', '😀', 'longer word', '\n'), { maxLength: 2_000, size: 'max' })
      .map(words => words.join(' ')),
  )
  fc.assert(
    fc.property(texts, text => {
      const parts = splitText(text)
      expect(parts.join('')).toBe(text)
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(TEXT_LENGTH)
        expect(new TextDecoder().decode(new TextEncoder().encode(part))).toBe(part)
      }
    }),
    { numRuns: runs(200, 1_000) },
  )
  expect(textsOfEvent({ text: ' Hi. ', attachments: [{ content_url: 'https://a.example/1' }] })).toEqual([
    'Hi.\nhttps://a.example/1',
  ])
  expect(textsOfEvent({ text: ' \n', attachments: [] })).toEqual([])
})
