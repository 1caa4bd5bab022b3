/** Time for the browser to read a file after the click, milliseconds. */
const READ = 60_000

/** Hands a file to the browser. */
export function saveFile(name: string, type: string, parts: readonly BlobPart[]): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), READ)
}

/** Returns today's date for a name of a file. */
export const today = (): string => new Date().toISOString().slice(0, 10)
