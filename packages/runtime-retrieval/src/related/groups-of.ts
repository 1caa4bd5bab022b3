/** Returns the groups of related words of a text: one a line. */
export const groupsOf = (text: string): readonly string[] => text.trim().split('\n')
