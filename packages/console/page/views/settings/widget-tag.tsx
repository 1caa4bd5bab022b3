import { me } from '../../session.ts'
import { Copied } from '../../ui/copied.tsx'
import { say } from './texts.ts'

const UNKNOWN = 'https://your-server.example/widget/colloquy-widget.js'

/** The word that tags need not name. */
const USUAL_BRAND = 'AI'

interface WidgetTagProps {
  /** The whole token, while it is known; without it the tag has its beginning. */
  readonly token?: string
  readonly prefix?: string
}

/** Shows the tag for a visitor's page, and hints if it does nothing. */
export function WidgetTag({ token, prefix = '' }: WidgetTagProps) {
  const { url = null, brand = USUAL_BRAND } = me.value?.widget ?? {}
  const script = url === null ? UNKNOWN : new URL(url, document.baseURI).href
  const { origin } = new URL(script)
  const attributes = [
    ['src', script],
    ['data-server', origin],
    ['data-connector-token', token ?? `${prefix}…`],
    ...(brand === USUAL_BRAND ? [] : [['data-brand', brand]]),
  ]
  const tag = `<script\n${attributes.map(([name, value]) => `  ${name}="${value}"\n`).join('')}></script>`
  return (
    <div class="stack tight">
      <p>{say('tag.whole')}</p>
      <Copied text={tag} />
      {token === undefined && <p class="quiet">{say('tag.token', { prefix })}</p>}
      {url === null && <p class="quiet">{say('tag.server')}</p>}
      <details>
        <summary>{say('tag.trouble')}</summary>
        <ul>
          <li>{say('tag.trouble.hosts')}</li>
          <li>{say('tag.trouble.policy', { origin })}</li>
          <li>{say('tag.trouble.https')}</li>
          <li>{say('tag.trouble.console')}</li>
        </ul>
      </details>
    </div>
  )
}
