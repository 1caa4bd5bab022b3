/** Returns the positions of the highest scores, highest first, the lower position first among equals. */
export function bestOf(scores: Float64Array, limit: number): readonly number[] {
  const best: number[] = []
  for (let index = 0; index < scores.length; index += 1) {
    const score = scores[index] ?? 0
    if (best.length === limit && score <= (scores[best[limit - 1] ?? 0] ?? 0)) continue
    let rank = best.length
    while (rank > 0 && score > (scores[best[rank - 1] ?? 0] ?? 0)) rank -= 1
    best.splice(rank, 0, index)
    if (best.length > limit) best.pop()
  }
  return best
}
