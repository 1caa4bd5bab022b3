/** Tells a person what is done and what came back. */
export interface Report {
  /** A step that gave what the contract says. */
  step(title: string, result?: unknown): void
  /** Something on the way. */
  note(text: string): void
}

/** Writes numbered steps. @param write takes one line */
export function createReport(write: (line: string) => void): Report {
  let count = 0
  return {
    step(title, result) {
      count += 1
      write(`${String(count).padStart(2)}. ${title}`)
      if (result !== undefined) write(`      ${JSON.stringify(result)}`)
    },
    note: text => write(`      ${text}`),
  }
}
