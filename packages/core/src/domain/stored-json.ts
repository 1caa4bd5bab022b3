/**
 * JSON that a store holds, as a text or as a value: whichever it has is handed on, and the other one is made when it is
 * asked for, once. Any object with both is one.
 */
export interface StoredJson<T> {
  /** Exactly as `JSON.stringify` makes it, without white space. */
  readonly text: string
  readonly value: T
}

/**
 * Returns the JSON of a value. `text` is a field of the object itself, so that a copy, as `structuredClone` makes it,
 * has both.
 */
export function jsonOf<T>(value: T): StoredJson<T> {
  let text: string | undefined
  return {
    value,
    get text() {
      text ??= JSON.stringify(value)
      return text
    },
  }
}

/** A class, because a list makes thousands of them: an object literal with a getter takes 25 times as long. */
class JsonText<T> implements StoredJson<T> {
  readonly text: string
  #value: T | undefined

  constructor(text: string) {
    this.text = text
  }

  get value(): T {
    // JSON has no undefined: that is a text which was not parsed yet.
    if (this.#value !== undefined) return this.#value
    const value: T = JSON.parse(this.text)
    this.#value = value
    return value
  }
}

/** Returns the JSON of a text that was made of a value of that type, by `JSON.stringify`. */
export const jsonText = <T>(text: string): StoredJson<T> => new JsonText(text)
