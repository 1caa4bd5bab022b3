/** Invisible characters that no script needs: controls, the zero-width space, the word joiner, the byte order mark. */
const UNSEEN = /[\p{Cc}\u200B\u2060\uFEFF]/u

/** True for a name with invisible characters: it would look like another one. */
export const hasUnseen = (name: string): boolean => UNSEEN.test(name)

/** The form in which names are kept and compared: however a keyboard composes letters, equal ones are equal (AG38). */
export const properName = (name: string): string => name.normalize('NFC')
