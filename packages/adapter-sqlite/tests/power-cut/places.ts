/** Where the process of a test keeps its store, below the traced folder: in folders that it makes. */
export const STORE = 'made/deeper/store.db'

/** The file, in the traced folder, in which the process says what was acknowledged. It is not part of what the power cut takes. */
export const TOLD = 'told'

/** What is said in a conversation that is removed, and nowhere else. */
export const SECRET = 'room-204-at-midnight'
