import { mkdirSync } from 'node:fs'
import { findingsOf } from '@colloquy/test-support/axe'
import type { Page } from 'playwright-core'

const SHOTS = process.env.COLLOQUY_SHOTS

/** Returns the findings of axe in both themes. Takes a picture of each if `COLLOQUY_SHOTS` names a folder. */
export async function lookAt(page: Page, name: string): Promise<readonly string[]> {
  const findings: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (SHOTS !== undefined) {
      mkdirSync(SHOTS, { recursive: true })
      await page.screenshot({ path: `${SHOTS}/console-${name}-${colorScheme}.png` })
    }
    findings.push(...(await findingsOf(page)).map(one => `${name}, ${colorScheme}: ${one}`))
  }
  return findings
}
