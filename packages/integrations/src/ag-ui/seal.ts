import * as z from 'zod'

/** The session of a thread, with the token that opens it. */
export interface ThreadSession {
  readonly sessionId: string
  readonly accessToken: string
}

const sessionSchema = z.object({ sessionId: z.string(), accessToken: z.string() })
const IV_BYTES = 12
const utf8 = new TextEncoder()

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), one => one.charCodeAt(0))

/** Seals sessions with a key that is made of a secret; each for one visitor and one thread (UI2). */
export function createSeal(secret: string) {
  const key = crypto.subtle
    .importKey('raw', utf8.encode(secret), 'HKDF', false, ['deriveKey'])
    .then(material =>
      crypto.subtle.deriveKey(
        { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8.encode('colloquy ag-ui thread') },
        material,
        { name: 'AES-GCM', length: 256 },
        false,
        ['encrypt', 'decrypt'],
      ),
    )
  const algorithm = (iv: Uint8Array<ArrayBuffer>, owner: string) => ({
    ...{ name: 'AES-GCM', iv, additionalData: utf8.encode(owner) },
  })
  return {
    async seal(session: ThreadSession, owner: string): Promise<string> {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const sealed = await crypto.subtle.encrypt(
        algorithm(iv, owner),
        await key,
        utf8.encode(JSON.stringify(session)),
      )
      return base64(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
    },
    /** Null for anything that was not sealed for that owner. */
    async unseal(text: string, owner: string): Promise<ThreadSession | null> {
      try {
        const bytes = bytesOf(text)
        const [iv, sealed] = [bytes.slice(0, IV_BYTES), bytes.slice(IV_BYTES)]
        const plain = await crypto.subtle.decrypt(algorithm(iv, owner), await key, sealed)
        return sessionSchema.parse(JSON.parse(new TextDecoder().decode(plain)))
      } catch {
        return null
      }
    },
  }
}
