import * as z from 'zod'

/**
 * Invisible characters that no name needs: controls, halves of pairs, the soft hyphen, the zero-width space, the word
 * joiner and invisible operators, the byte order mark, and marks that turn the direction of what follows.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\u00AD\u180E\u200B\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/u

/** A character that can be seen. U+2800 is the braille pattern without dots. */
const SEEN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u

/** False for a name that would look like another one, or like none. */
export const isProperName = (name: string): boolean => !UNSEEN.test(name) && SEEN.test(name)

/** The requirement of {@link isProperName}, in words. */
export const PROPER_NAME =
  'it must hold a character that can be seen, and no control characters, invisible ones, or marks that turn the direction of text'

/** Returns a name that may be left empty. */
export const properLabelSchema = (most: number) =>
  z
    .string()
    .max(most)
    .normalize('NFC')
    .refine(name => name === '' || isProperName(name), PROPER_NAME)

/** Returns a schema that normalises names given by people. Names that were stored before stay readable. */
export const properNameSchema = (most: number) => properLabelSchema(most).min(1)

/**
 * Returns the form in which names are kept and compared: however a keyboard composes letters, equal ones are equal
 * (AG38).
 */
export const properName = (name: string): string => name.normalize('NFC')
