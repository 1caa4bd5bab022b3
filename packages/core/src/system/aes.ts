const encoded = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** A key of AES-256-GCM, derived from a secret by HKDF. */
export interface AesKey {
  /** @param bound what must be given again to decrypt */
  encrypt(text: string, bound: string): Promise<Encrypted>
  /** Rejects for another text, key or `bound`. */
  decrypt(encrypted: Encrypted, bound: string): Promise<string>
}

/** The encrypted data, and the nonce that it was encrypted with. */
export interface Encrypted {
  readonly nonce: Uint8Array<ArrayBuffer>
  readonly sealed: Uint8Array<ArrayBuffer>
}

/** Uses the Web Cryptography API, which every JavaScript runtime has. */
export function createAesKey(secret: string): AesKey {
  const { subtle } = globalThis.crypto
  const derive = async () => {
    const material = await subtle.importKey('raw', encoded(secret), 'HKDF', false, ['deriveKey'])
    const terms = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoded('stored secrets') }
    const kind = { name: 'AES-GCM', length: 256 }
    return subtle.deriveKey(terms, material, kind, false, ['encrypt', 'decrypt'])
  }
  const key = derive()
  return {
    async encrypt(text, bound) {
      const nonce = globalThis.crypto.getRandomValues(new Uint8Array(12))
      const terms = { name: 'AES-GCM', iv: nonce, additionalData: encoded(bound) }
      return { nonce, sealed: new Uint8Array(await subtle.encrypt(terms, await key, encoded(text))) }
    },
    async decrypt({ nonce, sealed }, bound) {
      const terms = { name: 'AES-GCM', iv: nonce, additionalData: encoded(bound) }
      return new TextDecoder().decode(await subtle.decrypt(terms, await key, sealed))
    },
  }
}
