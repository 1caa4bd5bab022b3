/** A secret with which a host's back end signs what is true of a conversation (MS49). */
export interface ContextKey {
  /** Names it in the header of a token. */
  readonly kid: string
  /** Kept readable, because checking a signature needs the secret itself and a hash would not do. Used as UTF-8. */
  readonly secret: string
  readonly createdAt: number
  /** From this moment on it verifies nothing; null: it is the newest, with which hosts sign. */
  readonly verifiesUntil: number | null
}

/** The same without what signs: what calls and lists give. */
export type ContextKeyInfo = Omit<ContextKey, 'secret'>

/** Returns the keys that verify now. */
export const verifyingKeys = <Key extends ContextKeyInfo>(
  keys: readonly Key[],
  now: number,
): readonly Key[] => keys.filter(({ verifiesUntil }) => verifiesUntil === null || now < verifiesUntil)

/** Returns the secrets after a new one came: the newest one of before verifies on for `overlap` milliseconds (MS47). */
export const rotatedKeys = (
  secrets: readonly ContextKey[],
  { next, overlap }: { readonly next: ContextKey; readonly overlap: number },
): readonly ContextKey[] => {
  const until = next.createdAt + overlap
  const earlier = secrets.find(({ verifiesUntil }) => verifiesUntil === null)
  return earlier === undefined || overlap === 0 ? [next] : [next, { ...earlier, verifiesUntil: until }]
}
