import { createConsole, readPageFiles } from '@colloquy/console'
import type { Platform } from '@colloquy/core'
import type { Dispatcher } from '@colloquy/core/transport'
import type { ServesHost } from '../hosts.ts'
import { WIDGET_SCRIPT } from '../widget-files.ts'
import type { SessionFile } from './session-file.ts'
import { createSignIn, SIGN_IN, SIGN_OUT, type SignInPages } from './sign-in.ts'

/** The files of the page: those of the package, or in a checkout that was not built, made from its sources. */
const pageFiles: typeof readPageFiles = () =>
  readPageFiles().catch(async () => (await import('../../../../scripts/console-files.ts')).bundleConsole())

/**
 * Returns the URL of the widget for visitors' pages: on a host of messaging if hosts are set, otherwise on this one.
 */
function widgetUrlOf({ settings: { hosts } }: Platform): string {
  const [host] = Object.values(hosts?.messaging ?? {})
  return host === undefined ? `.${WIDGET_SCRIPT}` : `https://${host}${WIDGET_SCRIPT}`
}

/** The console at the root of the server, with a sign-in of its own. */
export interface MountedConsole {
  /** The console before the platform. */
  readonly dispatcher: Dispatcher
  readonly signIn: SignInPages
}

/** Puts the console and its sign-in before the platform, on their hosts: what is of neither is the platform's. */
export function mountConsole(
  platform: Platform,
  below: Dispatcher,
  { serves, sessions }: { readonly serves: ServesHost; readonly sessions: SessionFile },
): MountedConsole {
  const signIn = createSignIn(platform, sessions)
  const page = createConsole(platform, {
    authorize: signIn.authorize,
    signInUrl: `.${SIGN_IN}`,
    signOutUrl: `.${SIGN_OUT}`,
    widgetUrl: widgetUrlOf(platform),
    pageFiles,
  })
  const dispatcher: Dispatcher = {
    matches: path => signIn.matches(path) || page.matches(path) || below.matches(path),
    handle(request) {
      if (!serves('console', request.headers.host)) return below.handle(request)
      if (signIn.matches(request.path)) return signIn.handle(request)
      return page.matches(request.path) ? page.handle(request) : below.handle(request)
    },
    refusal: (request, error) =>
      page.matches(request.path) ? page.refusal(request, error) : below.refusal(request, error),
  }
  return { dispatcher, signIn }
}
