import { createHash } from 'node:crypto'
import { BRAND, PAGE_STYLE } from '../page-style.ts'
import { type SignInLanguage, say } from './sign-in-texts.ts'

const STYLE = `${PAGE_STYLE}
body { display: grid; min-height: 100vh; min-height: 100dvh; padding: 1.25rem; place-content: center; grid-template-columns: minmax(0, 24rem); }
h1 { margin: 1.5rem 0 1rem; font-size: 1.375rem; }
form { display: grid; gap: .5rem; }
label { font-weight: 600; }
input, button { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--strong-line); border-radius: .5rem; background: var(--over); color: inherit; font: inherit; }
button { margin-top: .5rem; border-color: transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.08); }
p { margin: 1rem 0 0; }
main > p:last-child { color: var(--quiet); font-size: .875rem; }
form p { margin: 0 0 .5rem; color: var(--quiet); font-size: .875rem; }
[role=alert] { margin: 0 0 1rem; padding: .625rem .75rem; border-radius: .5rem; background: var(--bad-wash); color: var(--bad); }
`

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, sign => ESCAPES[sign] ?? sign)

/** The page takes one form, which it sends to its own server. */
export const SIGN_IN_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** Contents of the page for one attempt. */
export interface SignInForm {
  readonly language: SignInLanguage
  /** Error of the previous attempt, as a sentence; null for the first one. */
  readonly wrong: string | null
  /** The name that was given, now or before. */
  readonly name: string
  /** Token of the one-time link, in place of a key; null without one. */
  readonly once: string | null
}

export function signInPage({ language, wrong, name, once }: SignInForm): string {
  const focus = ' autofocus'
  const isNameFirst = once !== null || name === ''
  const said = (text: Parameters<typeof say>[1]): string => escaped(say(language, text))
  const withKey = `<label for="key">${said('key')}</label>
<input id="key" name="key" type="password" autocomplete="current-password" required${isNameFirst ? '' : focus}>`
  const hint = `<p>${said('key.where').replace('{variable}', '<code>COLLOQUY_OPERATOR_KEY</code>')} ${said('link.where')}</p>\n`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${said('title')}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main class="sheet">
${BRAND}
<h1>${said('heading')}</h1>
${wrong === null ? '' : `<p role="alert">${escaped(wrong)}</p>\n`}<form method="post" action="./sign-in">
<label for="name">${said('name')}</label>
<input id="name" name="name" value="${escaped(name)}" autocomplete="username" maxlength="100" aria-describedby="why" required${isNameFirst ? focus : ''}>
<p id="why">${said('name.why')}</p>
${once === null ? withKey : `<input type="hidden" name="once" value="${escaped(once)}">`}
<button>${said('sign-in')}</button>
</form>
${once === null ? hint : ''}</main>
</body>
</html>
`
}
