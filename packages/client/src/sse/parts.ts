/** One event of a stream. */
export interface StreamPart {
  readonly name: string
  readonly data: string
  /** Id of this event, or of the last one before it that had one; empty while there is none. */
  readonly id: string
}

/**
 * Reads events out of pieces of text, however they are cut (WHATWG HTML, Server-sent events). Each line is read once:
 * of what has no end yet, only a line is kept, which nothing looks into before it has one.
 */
export function createPartReader(): (text: string) => readonly StreamPart[] {
  let line = ''
  let name = 'message'
  let data: string[] = []
  let id = ''
  let nextId = ''
  return text => {
    const parts: StreamPart[] = []
    const lines = text.split('\n')
    const rest = lines.pop() ?? ''
    for (const end of lines) {
      const whole = line + end
      line = ''
      const [, field, value = ''] = /^(event|data|id): ?(.*?)\r?$/s.exec(whole) ?? []
      if (field === 'event') name = value
      else if (field === 'data') data.push(value)
      else if (field === 'id') nextId = value
      else if (whole === '' || whole === '\r') {
        id = nextId
        if (data.length > 0) parts.push({ name, data: data.join('\n'), id })
        name = 'message'
        data = []
      }
    }
    line += rest
    return parts
  }
}
