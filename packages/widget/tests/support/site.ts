import type { RequestListener } from 'node:http'
import type { Files, Recordings } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { type HostOptions, startMessagingHost } from '@colloquy/test-support/messaging-host'
import type { BrowserContext, Page } from 'playwright-core'
import { bundleWidget, LAUNCHER_FILE } from '../../../../scripts/widget-files.ts'

/** What a careful site allows: its own scripts, its own server, and pictures that come with a message. */
const STRICT = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:"

let built: ReturnType<typeof bundleWidget> | null = null

/** The files of the widget, built once for all tests of a process. */
export const widgetFiles = (): ReturnType<typeof bundleWidget> => {
  built ??= bundleWidget()
  return built
}

/** A page of the site: HTML that may name `{token}`, `{server}` and `{widget}`, the address of the launcher's file. */
export interface SiteOptions {
  readonly runtime: AgentRuntime
  /** By path. `/` is a page with the tag alone. */
  readonly pages?: Readonly<Record<string, string>>
  readonly policy?: string
  readonly handoff?: 'server' | 'client'
  readonly port?: number
  /** Where files are kept. @default none are taken */
  readonly files?: Files
  readonly fileRules?: object
  readonly recordings?: Recordings
  readonly attach?: HostOptions['attach']
  /** Further headers of each page. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The tag, with more attributes if any. */
export const tag = (attributes = ''): string =>
  `<script src="{widget}" data-connector-token="{token}" ${attributes}></script>`

/** A page around something. */
export const pageOf = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content"><title>Harbour Hotel</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`

const INTRODUCTION =
  '<main><h1>Harbour Hotel</h1><p>Rooms by the sea.</p><p><a href="#rooms">Our rooms</a></p></main>'

/** A site that serves its pages, the widget's files and the platform, all under one policy. */
export async function startSite({ headers = {}, pages = {}, policy = STRICT, ...options }: SiteOptions) {
  const files = await widgetFiles()
  let place = { token: '', server: '' }
  const serve: RequestListener = (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = files.get(path.slice('/widget/'.length))
    const page = pages[path] ?? (path === '/' ? pageOf(INTRODUCTION + tag()) : undefined)
    const isScript = path.endsWith('.js')
    const isStyle = path.endsWith('.css')
    const type = isScript ? 'text/javascript' : isStyle ? 'text/css' : 'text/html'
    response.writeHead(file === undefined && page === undefined ? 404 : 200, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      ...headers,
      // Pages of other hosts load the files as modules.
      ...(file !== undefined && { 'access-control-allow-origin': '*' }),
    })
    const places: Readonly<Record<string, string>> = { ...place, widget: `/widget/${LAUNCHER_FILE}` }
    // What a script's own templates have in braces stays.
    const text = (page ?? '').replace(/(?<!\$)\{(token|server|widget)\}/g, (_, name) => places[name] ?? '')
    response.end(file ?? text)
  }
  const host = await startMessagingHost({ ...options, pages: serve })
  place = { token: host.token, server: host.url }
  return host
}

/** A page, with all that is wrong with it: errors of its console, refusals of its policy, requests to other hosts. */
export async function openPage(profile: BrowserContext, url: string) {
  const page = await profile.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  page.on('pageerror', error => void complaints.push(String(error)))
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  const { origin } = new URL(url)
  const note = (address: string): void => {
    requests.push(address)
    const from = new URL(address)
    if (!['data:', 'blob:'].includes(from.protocol) && from.origin.replace(/^ws/, 'http') !== origin)
      complaints.push(`A request to ${address}`)
  }
  page.on('request', request => note(request.url()))
  page.on('websocket', socket => note(socket.url()))
  await page.goto(url)
  return Object.assign(page, { complaints, requests })
}

/** Opens the chat, and waits until it can be written in. */
export async function openChat(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Chat|^محادثة/ }).click()
  await page.locator('textarea').waitFor()
}

/** Says something in the open chat. */
export async function say(page: Page, text: string): Promise<void> {
  await page.locator('textarea').fill(text)
  await page.keyboard.press('Enter')
}

/** What the log shows: who says it, and the words. */
export const linesOf = (page: Page): Promise<readonly string[]> =>
  page.locator('.log .message').evaluateAll(lines =>
    lines.map(line => {
      const words = line.querySelector<HTMLElement>('.bubble')?.innerText ?? ''
      return `${line.classList.contains('mine') ? 'mine' : 'theirs'}: ${words}`
    }),
  )
