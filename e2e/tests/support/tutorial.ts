import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'

/** A sentence of a tutorial that says what to do, and where it is on the page. */
export interface Step {
  readonly sentence: string
  /** Title of the section. */
  readonly section: string
}

/** Tabs of the person who follows a tutorial. */
export interface Tabs {
  /** Opens the link that the server printed, if it prints one. */
  signIn?(): Promise<Page>
  /** Opens an address that the page names. */
  another(address: string): Promise<Page>
}

export const tutorial = (name: string): Promise<string> =>
  readFile(new URL(`../../../docs/guides/${name}.md`, import.meta.url), 'utf8')

/** The steps of a page, in order: the sentences of its numbered lists. */
export const stepsOf = (markdown: string): readonly Step[] =>
  markdown.split(/^## /m).flatMap(text => {
    const [section = '', ...lines] = text.split('\n')
    return [...lines.join('\n').matchAll(/^\d+\. (.+)$/gm)].flatMap(([, line = '']) =>
      sentencesOf(line).map(sentence => ({ sentence, section })),
    )
  })

/** Splits at full stops, but not within code, bold text and addresses. */
const sentencesOf = (line: string): readonly string[] =>
  (line.match(/(?:`[^`]*`|\*\*[^*]*\*\*|<[^>]*>|[^.`*<])+\.?\s*/g) ?? []).map(one => one.trim())

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Names of controls may have a count behind them. */
const named = (label: string): { name: RegExp } => ({ name: new RegExp(`^${escaped(label)}( \\d+)?$`) })

/** A form may be behind a dialog that has the same label. */
async function fill(page: Page, label: string, text: string): Promise<void> {
  const box = page.getByRole('textbox', named(label))
  await box.first().waitFor()
  await box.last().fill(text)
}

type Act = (page: Page, ...words: readonly string[]) => Promise<unknown>

const press = (place: Page | Locator, label: string): Promise<void> =>
  place.getByRole('button', named(label)).first().click()

/** What a sentence says to do on a page. */
const ACTS: readonly (readonly [pattern: RegExp, act: Act])[] = [
  [/^Open \*\*(.+)\*\*\.$/, (page, label = '') => page.getByRole('link', named(label)).first().click()],
  [/^Press \*\*(.+)\*\*\.$/, (page, label = '') => press(page, label)],
  [
    /^Confirm with \*\*(.+)\*\*\.$/,
    async (page, label = '') => {
      const dialog = page.getByRole('dialog')
      await press(dialog, label)
      await dialog.waitFor({ state: 'detached' })
    },
  ],
  [/^Type `(.+)` at \*\*(.+)\*\*\.$/, (page, text = '', label = '') => fill(page, label, text)],
  [/^Press Enter\.$/, page => page.keyboard.press('Enter')],
  [
    /^You see `(.+)`(?:, .+)?\.?$/,
    (page, text = '') => page.getByText(text).filter({ visible: true }).first().waitFor(),
  ],
]

/**
 * Does what the sentences say. The first tab is the console, the second one the visitor's.
 *
 * @throws Error for a sentence that is none of those above, and one that names the section and the sentence that failed
 */
export async function follow(steps: readonly Step[], tabs: Tabs): Promise<void> {
  const opened: Page[] = []
  let page: Page | undefined
  const at = (index: number): Page => {
    const found = opened[index]
    if (found === undefined) throw new Error('There is no such tab yet.')
    return found
  }
  const turn = async (sentence: string): Promise<Page | null> => {
    const [, address] = /^Open <(.+)> in another tab\.$/.exec(sentence) ?? []
    if (address === undefined && sentence !== 'Open the link that the server prints.') {
      if (sentence === 'Go back to the console.') return at(0)
      return sentence === 'Go back to the visitor.' ? at(1) : null
    }
    const made = await (address === undefined ? tabs.signIn?.() : tabs.another(address))
    if (made !== undefined) opened.push(made)
    return made ?? null
  }
  for (const { section, sentence } of steps)
    try {
      const other = await turn(sentence)
      if (other !== null) page = other
      else await actOn(page, sentence)
    } catch (error) {
      throw new Error(`${section}: "${sentence}" failed.`, { cause: error })
    }
}

async function actOn(page: Page | undefined, sentence: string): Promise<void> {
  if (page === undefined) throw new Error('No tab is open.')
  for (const [pattern, act] of ACTS) {
    const words = pattern.exec(sentence)
    if (words === null) continue
    await act(page, ...words.slice(1))
    return
  }
  throw new Error('The test knows no such step.')
}
