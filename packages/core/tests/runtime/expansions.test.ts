import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actionsOf, expandActions, expandAttributes } from '../../src/runtime/expansions.ts'

describe('expansions', () => {
  it('RT3 puts the values of attributes in, once', () => {
    expect(
      expandAttributes('At {{attr:hotel}}, {{ attr: city }}', { hotel: '{{attr:city}}', city: 'Bath' }),
    ).toEqual({
      text: 'At {{attr:city}}, Bath',
      unknown: [],
    })
  })

  it('RT3 turns unknown attributes into empty text and reports each once', () => {
    expect(expandAttributes('{{attr:a}}-{{attr:constructor}}-{{attr:a}}', {})).toEqual({
      text: '--',
      unknown: ['a', 'constructor'],
    })
  })

  it('RT3 leaves other braces alone', () => {
    const text = '{{fn:x}} {attr:a} {{attr a}} {{other:a}}'
    expect(expandAttributes(text, { a: '1' }).text).toBe(text)
  })

  it('RT5 reads calls and hand-overs in the order of the text', () => {
    expect(actionsOf('First {{fn:look_up}}, then {{ ho: front desk }}; {{attr:x}} {{fn:}} {{ho: }}')).toEqual(
      [
        { type: 'function', name: 'look_up' },
        { type: 'handoff', destination: 'front desk' },
      ],
    )
  })

  it('RT5 puts words in the place of calls and hand-overs, and leaves the rest', () => {
    const words = expandActions(
      'First {{fn:look_up}}, then {{ ho: front desk }}; {{attr:x}} {{fn:}}!',
      action => (action.type === 'function' ? `call ${action.name}` : `go to ${action.destination}`),
    )
    expect(words).toBe('First call look_up, then go to front desk; {{attr:x}} !')
  })

  it('RT3 expands nothing in a text without expansions, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter(text => !text.includes('{{')),
        text => {
          expect(expandAttributes(text, {})).toEqual({ text, unknown: [] })
          expect(actionsOf(text)).toEqual([])
        },
      ),
    )
  })
})
