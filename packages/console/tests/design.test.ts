import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PAGE_TOKENS } from '../../../examples/standalone/src/page-style.ts'
import { LAUNCHER_STYLE } from '../../widget/src/launcher/style.ts'
import { HUES } from '../page/names.ts'

const STYLES = join(import.meta.dirname, '../page/styles')
const styleOf = (name: string): string => readFileSync(join(STYLES, name), 'utf8')

type Tokens = ReadonlyMap<string, string>

/** Returns the custom properties of a piece of a style sheet. */
const tokensIn = (css: string): Tokens =>
  new Map([...css.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]))

const [whole = '', more = ''] = styleOf('tokens.css').split('@media (prefers-contrast: more)')
const BASE = tokensIn(whole.split('@media')[0] ?? '')
const SETS: readonly (readonly [string, Tokens, number])[] = [
  ['the usual contrast', BASE, 4.5],
  ['more contrast', new Map([...BASE, ...tokensIn(more)]), 7],
]
const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]

/** Returns the colour of a token in a theme, as #rrggbb. @throws Error if it has none */
function colourOf(tokens: Tokens, name: string, theme: Theme): string {
  const value = tokens.get(name) ?? ''
  const other = /^var\(--([\w-]+)\)$/.exec(value)?.[1]
  if (other !== undefined) return colourOf(tokens, other, theme)
  const [, light, dark] = /^light-dark\((#[\da-f]{3,6}), (#[\da-f]{3,6})\)$/.exec(value) ?? []
  const colour = theme === 'light' ? light : dark
  if (colour === undefined) throw new Error(`--${name} is no colour in two themes: ${value}`)
  return colour.length === 7 ? colour : colour.replace(/[\da-f]/g, '$&$&')
}

/** Returns the relative luminance of a colour (WCAG 2.2). */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function ratioOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const SURFACES = ['under', 'page', 'over', 'hover']
const TONES = ['good', 'warn', 'bad', 'sandbox', 'pre-release', 'live', 'visitor', 'agent', 'person']

/** All words on what they stand. */
const WORDS: readonly (readonly [words: string, on: string])[] = [
  ...['ink', 'quiet', 'accent'].flatMap(words => [...SURFACES, 'wash'].map(on => [words, on] as const)),
  ...TONES.flatMap(tone => [...SURFACES.slice(0, 3), `${tone}-wash`].map(on => [tone, on] as const)),
  ...['warn-wash', 'bad-wash', 'visitor-wash', 'person-wash'].map(on => ['ink', on] as const),
  ['on-accent', 'accent'],
]

test('CO10 the ratio of contrast is that of WCAG', () => {
  expect(ratioOf('#000000', '#ffffff')).toBeCloseTo(21)
  expect(ratioOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

test.each(SETS)('CO10 words can be read on what they stand on, light and dark: %s', (_, tokens, least) => {
  const low = THEMES.flatMap(theme =>
    WORDS.flatMap(([words, on]) => {
      const wash = tokens.has(on) ? on : 'wash'
      const ratio = ratioOf(colourOf(tokens, words, theme), colourOf(tokens, wash, theme))
      return ratio < least ? [`${theme}: ${words} on ${wash} has ${ratio.toFixed(2)}`] : []
    }),
  )
  expect(low).toEqual([])
})

test.each(SETS)('CO10 edges of fields, the mark and initials are seen, light and dark: %s', (_, tokens) => {
  for (const theme of THEMES) {
    for (const on of SURFACES.slice(0, 3)) {
      const surface = colourOf(tokens, on, theme)
      for (const edge of ['strong-line', 'mark', 'accent'])
        expect(ratioOf(colourOf(tokens, edge, theme), surface), `${theme}: ${edge} on ${on}`).toBeGreaterThan(
          3,
        )
    }
    for (const hue of HUES) {
      const ratio = ratioOf(colourOf(tokens, hue, theme), colourOf(tokens, `${hue}-wash`, theme))
      expect(ratio, `${theme}: ${hue}`).toBeGreaterThan(4.5)
    }
  }
})

test('CO10 environments, states and roles have colours of their own', () => {
  for (const theme of THEMES)
    for (const group of [
      ['sandbox', 'pre-release', 'live'],
      ['good', 'warn', 'bad', 'quiet'],
      ['visitor', 'agent', 'person'],
      HUES,
    ]) {
      const colours = group.map(name => colourOf(BASE, name, theme))
      expect(new Set(colours).size, group.join()).toBe(group.length)
    }
})

const SHEETS = globSync('*.css', { cwd: STYLES }).filter(name => name !== 'tokens.css')

test.each(SHEETS)('CO10 %s takes colours and times of motion from the tokens, and knows no other', name => {
  // The arrow of a choice is a picture, which knows no tokens; shadows behind a dialog are no colour of anything.
  const css = styleOf(name)
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/url\("data:[^"]*"\)/g, '')
    .replace(/rgb\(12 14 19 \/ 0\.45\)/g, '')
  expect(css.match(/#[\da-f]{3,8}\b|rgba?\(|hsla?\(/gi) ?? []).toEqual([])
  expect(css.match(/(?<![\w-])\d*\.?\d+m?s\b/g) ?? []).toEqual([])
  const used = [...css.matchAll(/var\(--([\w-]+)/g)].map(([, one = '']) => one)
  const own = new Set([...BASE.keys(), ...tokensIn(css).keys(), 'own', 'own-wash', 'target', 'bar'])
  expect(used.filter(one => !own.has(one))).toEqual([])
})

test('CO10 whoever asks for less motion gets none: all times are nothing then', () => {
  const reduced = /@media \(prefers-reduced-motion: reduce\) \{\s*:root \{([^}]*)\}/.exec(whole)?.[1] ?? ''
  const times = [...BASE].filter(([, value]) => /\dm?s$/.test(value)).map(([name]) => name)
  expect(times.length).toBeGreaterThan(1)
  expect([...tokensIn(reduced)]).toEqual(times.map(name => [name, '0s']))
})

test('CO10 the widget and the pages of the standalone server have the same colours', () => {
  for (const [name, [light, dark]] of Object.entries(PAGE_TOKENS))
    expect(BASE.get(name), name).toBe(`light-dark(${light}, ${dark})`)
  expect(LAUNCHER_STYLE).toContain(`--colloquy-accent,${colourOf(BASE, 'accent', 'light')}`)
  expect(LAUNCHER_STYLE).toContain(`background: ${colourOf(BASE, 'bad', 'light')}`)
})
