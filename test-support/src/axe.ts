import axe from 'axe-core'
import type { Page } from 'playwright-core'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/** Returns axe's findings about the current state of a page or a frame, one line each. It includes shadow trees. */
export async function findingsOf(page: Pick<Page, 'evaluate'>): Promise<readonly string[]> {
  await page.evaluate(`if (!globalThis.axe) { ${axe.source} }`)
  const found: unknown = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(TAGS)} }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => [id, target, failureSummary].join(' '))))`,
  )
  if (!Array.isArray(found)) throw new Error('axe gave no list.')
  return found.map(String)
}
