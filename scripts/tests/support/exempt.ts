/** Folders that are not yet as AR7, AR12 and AR13 want them: each goes from the list once it is. */
const EXEMPT = [
  'packages/adapter-sqlite/',
  'packages/core/src/ports/',
  'packages/core/src/usecases/',
  'packages/runtime-retrieval/',
]

/** True for a file of those folders. */
export const isExempt = (file: string): boolean => EXEMPT.some(folder => file.startsWith(folder))
