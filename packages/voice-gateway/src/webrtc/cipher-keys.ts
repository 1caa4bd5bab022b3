import { createSecretKey } from 'node:crypto'
import type { RTCDtlsTransport } from 'werift'

/**
 * Makes keys of the bytes that a connection's audio is encrypted with. werift hands the bytes to Node, which makes a
 * key of them for each packet: that takes three times as long as the encryption.
 */
export function makeKeys({ srtp }: RTCDtlsTransport): void {
  for (const { cipher } of [srtp.localContext, srtp.remoteContext]) {
    const { srtpSessionKey: bytes } = cipher
    if (Buffer.isBuffer(bytes)) Object.assign(cipher, { srtpSessionKey: createSecretKey(bytes) })
  }
}
