import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { PATIENCE } from '../../scripts/patience.ts'
import { requireProgram } from './servers.ts'

const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--no-first-run', '--disable-dev-shm-usage'],
]

/** Pages in a real browser. */
export interface Pages {
  /** A browser of its own profile: storage, network; of a phone, a language or a size, if wanted. */
  profile(options?: BrowserContextOptions): Promise<BrowserContext>
  /** A page of that profile, with all that its console says of errors. */
  open(profile: BrowserContext, url: string): Promise<Page & { readonly complaints: readonly string[] }>
}

/**
 * Chromium for tests of pages. Where it is not installed all tests of the file are skipped, and name the Debian package
 * that has it. To be called at the top of a file.
 *
 * @param flags further ones of the command line
 */
export function requireBrowser(...flags: readonly string[]): Pages {
  const executablePath = requireProgram('chromium', 'chromium')
  let browser: Promise<Browser> | null = null
  afterAll(async () => (await browser)?.close())
  return {
    async profile(options) {
      browser ??= chromium.launch({ executablePath, args: [...FLAGS, ...flags] })
      const profile = await (await browser).newContext(options)
      profile.setDefaultTimeout(PATIENCE)
      onTestFinished(() => profile.close())
      return profile
    },
    async open(profile, url) {
      const page = await profile.newPage()
      const complaints: string[] = []
      page.on('pageerror', error => void complaints.push(String(error)))
      page.on('console', message => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      await page.goto(url)
      return Object.assign(page, { complaints })
    },
  }
}
