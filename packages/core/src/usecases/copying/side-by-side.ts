/** The values under one key in two ordered lists. At least one of them has it. */
export interface Pair<One, Other> {
  readonly one: One | null
  readonly other: Other | null
}

/** Walks two lists that are in the same order, without holding either. */
export async function* sideBySide<One, Other>(
  ones: AsyncIterator<One>,
  others: AsyncIterator<Other>,
  compare: (one: One, other: Other) => number,
): AsyncGenerator<Pair<One, Other>> {
  let [one, other] = await Promise.all([ones.next(), others.next()])
  while (!(one.done && other.done)) {
    const order = one.done ? 1 : other.done ? -1 : compare(one.value, other.value)
    yield {
      one: order > 0 || one.done ? null : one.value,
      other: order < 0 || other.done ? null : other.value,
    }
    if (order <= 0) one = await ones.next()
    if (order >= 0) other = await others.next()
  }
}
