import { createHmac } from 'node:crypto'

/** Characters of the option that the name begins with, so that people recognise it; 63 bytes is the longest name. */
const SHOWN = 8

/**
 * Returns the name of the channel of LISTEN and NOTIFY (PG76). Any role that may connect can listen to a channel and
 * notify it once it knows the name, so the name is a secret: only processes that read the store can make it.
 */
export const channelName = (channel: string, secret: string): string =>
  `${channel.replace(/[^\w]/g, '').slice(0, SHOWN)}_${createHmac('sha256', secret).update(channel).digest('hex').slice(0, 40)}`

/** Returns a name that is known later: as soon as the bus is handed the secret. */
export function namedLater(channel: string) {
  let known: string | null = null
  let resolve = (_name: string): void => {}
  const name = new Promise<string>(done => {
    resolve = done
  })
  return {
    name,
    /** @throws Error for a second, different secret */
    nameChannels(secret: string): void {
      if (known !== null && known !== secret)
        throw new Error('This bus serves the platforms of another store. Give each store a bus of its own.')
      known = secret
      resolve(channelName(channel, secret))
    },
  }
}
