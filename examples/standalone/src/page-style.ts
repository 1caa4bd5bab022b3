/** Design tokens of the console that these pages use, with their values in the light and the dark theme. */
export const PAGE_TOKENS = {
  under: ['#f3f4f8', '#0c0e13'],
  over: ['#fff', '#1b1f28'],
  ink: ['#171c28', '#e8ebf1'],
  quiet: ['#566072', '#9ca6b7'],
  line: ['#e3e6ed', '#2a303c'],
  'strong-line': ['#828b9d', '#6d778a'],
  accent: ['#3145c9', '#9aa9ff'],
  'on-accent': ['#fff', '#0f1436'],
  bad: ['#b3261e', '#ff9a92'],
  'bad-wash': ['#fcebea', '#3a1614'],
  mark: ['#2a9283', '#4cc4b2'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

const declared = Object.entries(PAGE_TOKENS)
  .map(([name, [light, dark]]) => `--${name}: light-dark(${light}, ${dark});`)
  .join(' ')

/** Styles that all pages of this server share: tokens, text, links, and the mark. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; ${declared} }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; background: var(--under); color: var(--ink); }
h1, h2 { line-height: 1.2; letter-spacing: -.015em; }
a { color: var(--accent); text-underline-offset: .2em; }
code { font: .925em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.brand { display: flex; align-items: center; gap: .5rem; margin: 0; font-weight: 700; letter-spacing: -.02em; }
.brand svg { width: 2rem; height: 2rem; }
.first { fill: var(--accent); stroke: var(--over); stroke-width: 1.5; }
.second { fill: var(--mark); }
.sheet { padding: 1.5rem 2rem 2rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--over); box-shadow: 0 1px 3px rgb(16 24 40 / .08); }
`

/** The mark of the product with its name: two who talk with each other. */
export const BRAND = `<p class="brand"><svg viewBox="0 0 32 32" aria-hidden="true"><path class="second" d="M14 11h12a4 4 0 0 1 4 4v7a4 4 0 0 1-4 4v4l-5-4h-7a4 4 0 0 1-4-4v-7a4 4 0 0 1 4-4"/><path class="first" d="M6 3h13a4 4 0 0 1 4 4v7a4 4 0 0 1-4 4h-7l-5 4.5V18H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4"/></svg> Colloquy</p>`
