/**
 * What a write that removes may do: a row, a word of the index, or {@link BYTES_OF_A_UNIT} bytes of text are one unit.
 */
export const UNITS_OF_A_STEP = 300

const BYTES_OF_A_UNIT = 256

/** The cost of removing a row of that many bytes, in units. */
export const unitsOf = (bytes: number): number => 1 + Math.floor(bytes / BYTES_OF_A_UNIT)
