import { createServer } from 'node:http'
import { listenOn } from '@colloquy/test-support/messaging-host'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { FRAMED_LAUNCHER_FILE } from '../../../../scripts/widget-files.ts'
import { type SiteOptions, startSite } from './site.ts'

/** What a page of another origin has by path: HTML and scripts that may name `{token}`, `{server}` and `{widget}`. */
export type FramedPages = Readonly<Record<string, string>>

/** A site of one origin, whose policy lets nothing connect, with a chat in a frame of another one. */
export async function startFramedSite(options: Pick<SiteOptions, 'attach' | 'runtime'>, pages: FramedPages) {
  // The files' answers carry no policy of their own: the frame's page has it.
  const chat = await startSite({ ...options, policy: '' })
  const origin = chat.url.replace('localhost', '127.0.0.1')
  await chat.platform.access.updateConnector(chat.connectorId, { hosts: ['localhost', '127.0.0.1'] })
  const places: Readonly<Record<string, string>> = {
    token: chat.token,
    server: origin,
    widget: `${origin}/widget/${FRAMED_LAUNCHER_FILE}`,
  }
  const policy = `default-src 'none'; script-src 'self' ${origin}; style-src 'self'; frame-src ${origin}; img-src data:`
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const page = pages[path]
    const type = path.endsWith('.js') ? 'javascript' : path.endsWith('.css') ? 'css' : 'html'
    response.writeHead(page === undefined ? 404 : 200, {
      'content-type': `text/${type}; charset=utf-8`,
      'content-security-policy': policy,
    })
    response.end((page ?? '').replace(/\{(token|server|widget)\}/g, (_, name) => places[name] ?? ''))
  })
  const port = await listenOn(server)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { ...chat, origin, url: `http://localhost:${port}` }
}

/** What is in the frame of the chat. */
export const inFrame = (page: Page) => page.frameLocator('colloquy-chat .place iframe')
