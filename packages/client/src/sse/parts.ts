/** One event of a stream. */
export interface StreamPart {
  readonly name: string
  readonly data: string
  /** Of this event, or of the last before it that had one; empty while there is none. */
  readonly id: string
}

/** Reads events out of pieces of text, however they are cut (WHATWG HTML, Server-sent events). */
export function createPartReader(): (text: string) => readonly StreamPart[] {
  let rest = ''
  let id = ''
  return text => {
    const parts: StreamPart[] = []
    const blocks = (rest + text).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      let name = 'message'
      const data: string[] = []
      for (const line of block.split(/\r?\n/)) {
        const [, field, value = ''] = /^(event|data|id): ?(.*)$/s.exec(line) ?? []
        if (field === 'event') name = value
        else if (field === 'data') data.push(value)
        else if (field === 'id') id = value
      }
      if (data.length > 0) parts.push({ name, data: data.join('\n'), id })
    }
    return parts
  }
}
