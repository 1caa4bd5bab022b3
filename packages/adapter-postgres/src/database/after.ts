/** Resolves after that many milliseconds. */
export const after = (milliseconds: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, milliseconds))
