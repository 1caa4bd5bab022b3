import { createPlatform, type PlatformOptions } from '@colloquy/core'
import { createFetchHandler } from '@colloquy/core/transport'
import { createTwilioCarrier, createTwilioHandler } from '@colloquy/integrations/twilio'

/** What Twilio's console shows, and where Twilio reaches this host, as in `https://agents.example.com/twilio`. */
export interface TwilioAccount {
  readonly accountSid: string
  readonly authToken: string
  readonly url: string
  /** @default Twilio's own */
  readonly baseUrl?: string
}

/** A platform that texts over Twilio, and what answers its HTTP calls and Twilio's. */
export function createHost(options: PlatformOptions, { url, ...account }: TwilioAccount) {
  const textCarrier = createTwilioCarrier({ ...account, statusCallback: `${url}/status` })
  const platform = createPlatform({ ...options, textCarrier })
  // Behind one proxy, which terminates TLS and says whose request it is.
  const colloquy = createFetchHandler(platform, { trustProxy: 1 })
  const twilio = createTwilioHandler({ platform, authToken: account.authToken, url })
  return {
    platform,
    async fetch(request: Request): Promise<Response> {
      if (new URL(request.url).pathname.startsWith('/twilio/')) return twilio(request)
      return (await colloquy(request)) ?? new Response('There is nothing here.\n', { status: 404 })
    },
  }
}
