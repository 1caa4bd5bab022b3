/** Milliseconds before the next try, after so many that failed; half of it is left to chance. */
export function pauseAfter(failures: number, chance: number): number {
  const most = Math.min(30_000, 1_000 * 2 ** failures)
  return most / 2 + (most / 2) * chance
}

/** Reads events out of pieces of text, however they are cut. */
export function createEventReader(): (text: string) => readonly { name: string; data: string }[] {
  let rest = ''
  return text => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap(block => {
      const lines = block.split('\n')
      const of = (field: string) =>
        lines.flatMap(line => (line.startsWith(`${field}: `) ? [line.slice(field.length + 2)] : []))
      const data = of('data').join('\n')
      return data === '' ? [] : [{ name: of('event')[0] ?? 'message', data }]
    })
  }
}
