/** A list of whole numbers that grows; four bytes each, and nothing for the garbage collector to look through. */
export class GrowingList {
  #values = new Int32Array(1_024)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Int32Array(2 * this.#length)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length] = value
    this.#length += 1
  }

  /** Adds to the number at an index. */
  add(at: number, value: number): void {
    this.#values[at] = (this.#values[at] ?? 0) + value
  }

  set(at: number, value: number): void {
    this.#values[at] = value
  }

  /** The number at an index; 0 beyond the end. */
  at(at: number): number {
    return this.#values[at] ?? 0
  }
}
