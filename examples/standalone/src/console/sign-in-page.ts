import { createHash } from 'node:crypto'
import { type SignInLanguage, say } from './sign-in-texts.ts'

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { display: grid; min-height: 100vh; min-height: 100dvh; margin: 0; padding: 1.25rem; place-items: center; font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
main { width: 100%; max-width: 22rem; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.2; }
form { display: grid; gap: .5rem; }
label { font-weight: 600; }
input, button { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid GrayText; border-radius: .5rem; font: inherit; }
button { margin-top: .5rem; border-color: transparent; background: light-dark(#1d4ed8, #93b4ff); color: light-dark(#fff, #0b1530); font-weight: 600; cursor: pointer; }
:focus-visible { outline: 2px solid light-dark(#1d4ed8, #93b4ff); outline-offset: 2px; }
p { margin: 1rem 0 0; }
form p { margin: 0 0 .5rem; color: light-dark(#595959, #b4b4b4); font-size: .875rem; }
[role=alert] { margin: 0 0 1rem; padding: .625rem .75rem; border-radius: .5rem; background: light-dark(#fde8e8, #4a1717); color: light-dark(#8a1010, #ffd9d9); }
code { font: .925em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
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
<main>
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
