import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AiSdkRedactorOptions, createAiSdkRedactor } from '../src/index.ts'
import { createAnsweringModel, linesOf, textOf } from './support/answering-model.ts'

const ABOUT = { conversationId: 'c', language: 'en' }
const { signal } = new AbortController()

const redacted = (text: string, answer: string, options: Partial<AiSdkRedactorOptions> = {}) => {
  const { model, requests } = createAnsweringModel(() => answer)
  const result = Promise.resolve(createAiSdkRedactor({ model, ...options }).redact(text, ABOUT, signal))
  return { requests, result }
}

describe('the redactor over a language model', () => {
  test('LM113 what the model names is taken out wherever it stands, long parts first', async () => {
    const answer =
      '```json\n[{"sort":"name","text":"Ann"},{"sort":"name","text":"Ann Lee"},{"sort":"address","text":"5 Elm Road"}]\n```'
    const { requests, result } = redacted('Ann Lee here, Ann. 5 Elm Road.', answer)
    expect(await result).toEqual({ text: '[name] here, [name]. [address].', found: { name: 2, address: 1 } })
    expect(linesOf(requests[0])).toEqual([{ language: 'en', text: 'Ann Lee here, Ann. 5 Elm Road.' }])
    expect(textOf(requests[0], 'system')).not.toContain('Elm')
  })

  test('LM113 the model never reads what patterns found', async () => {
    const { requests, result } = redacted('I am Bo, 4111 1111 1111 1111', '[{"sort":"name","text":"Bo"}]')
    expect(await result).toEqual({ text: 'I am [name], [card]', found: { card: 1, name: 1 } })
    expect(JSON.stringify(requests[0]?.prompt)).not.toContain('4111')
  })

  test('LM113 a blank message asks no model', async () => {
    const { requests, result } = redacted('  ', '[]')
    expect(await result).toEqual({ text: '  ', found: {} })
    expect(requests).toEqual([])
  })

  test('LM113 sorts and words in their place are the host’s', async () => {
    const options = { sorts: { allergy: 'what somebody cannot eat' }, mask: (sort: string) => `<${sort}>` }
    const { requests, result } = redacted('No nuts!', '[{"sort":"allergy","text":"nuts"}]', options)
    expect(await result).toEqual({ text: 'No <allergy>!', found: { allergy: 1 } })
    expect(textOf(requests[0], 'system')).toContain('what somebody cannot eat')
  })

  test('LM113 nothing of a named part is left, and all else is as it was', async () => {
    const part = fc.stringMatching(/^[a-z.*$ ]{0,5}[a-z.*$]$/)
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 4 }),
        fc.stringMatching(/^[a-z.*$ ]{0,9}$/),
        async (parts, rest) => {
          const text = `${parts.join(rest)}${rest}`
          const named = parts.map(one => ({ sort: 'name', text: one }))
          const first = { redact: (given: string) => ({ text: given, found: {} }) }
          const { result } = redacted(text, JSON.stringify(named), { first, mask: () => '\u0000' })
          const isNamed = (at: number) =>
            parts.some(one => text.slice(Math.max(0, at - one.length + 1), at + one.length).includes(one))
          const kept = [...text].map((character, at) => (isNamed(at) ? '\u0000' : character)).join('')
          expect((await result).text.replaceAll(/\0+/g, '\u0000')).toBe(kept.replaceAll(/\0+/g, '\u0000'))
        },
      ),
    )
  })

  test('LM113 parts that overlap are taken out whole', async () => {
    const parts = ['Ann Lee', 'Lee Ann'].map(text => ({ sort: 'name', text }))
    const { result } = redacted('Ann Lee Ann, hello', JSON.stringify(parts))
    expect(await result).toEqual({ text: '[name], hello', found: { name: 1 } })
  })

  test.each([
    ...['None.', '{}', '[{"sort":"name"}]', '[{"sort":"name","text":" "}]', '["Ann"]', ''],
    ...['[{"sort":"colour","text":"Ann"}]', '[{"sort":"constructor","text":"Ann"}]'],
    '[{"sort":"name","text":"Anna"}]',
  ])('LM113 the answer %j is a failure', async answer => {
    await expect(redacted('I am Ann.', answer).result).rejects.toMatchObject({ code: 'AGENT_FAILED' })
  })

  test('LM113 a request that fails, or is called off, rejects', async () => {
    const { fault, model } = createAnsweringModel(() => '[]')
    const redactor = createAiSdkRedactor({ model })
    fault('fails')
    await expect(redactor.redact('I am Ann.', ABOUT, signal)).rejects.toMatchObject({ code: 'AGENT_FAILED' })
    fault('hangs')
    const controller = new AbortController()
    const late = redactor.redact('I am Ann.', ABOUT, controller.signal)
    controller.abort(new Error('Enough.'))
    await expect(late).rejects.toThrow('Enough.')
  })

  test.each<{ wrong: object; message: RegExp }>([
    { wrong: { model: undefined }, message: /^model must be a language model of the AI SDK, not undefined/ },
    ...[{}, null, [], { name: '' }, { name: 1 }].map(sorts => ({
      ...{ wrong: { sorts }, message: /^sorts must be an object/ },
    })),
    { wrong: { mask: '*' }, message: /^mask must be a function/ },
    { wrong: { first: {} }, message: /^first must be a redactor/ },
    { wrong: { patterns: true }, message: /patterns/ },
  ])('LM113 invalid options are refused: %j', ({ message, wrong }) => {
    const { model } = createAnsweringModel(() => '')
    const options = { model, ...wrong } as unknown as AiSdkRedactorOptions
    expect(() => createAiSdkRedactor(options)).toThrow(message)
  })
})
