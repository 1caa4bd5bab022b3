/** Resolves with the promise, or when the time is up. */
export async function atMost(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  let late: NodeJS.Timeout | undefined
  const end = new Promise<void>(resolve => {
    late = setTimeout(resolve, milliseconds)
  })
  await Promise.race([promise, end])
  clearTimeout(late)
}
