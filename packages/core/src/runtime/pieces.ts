/** White space and what closes a quotation, behind the end of a sentence, a clause or a line; or that end alone where scripts put no space. */
const PIECE = /.+?(?:[.!?…,;:]["'”’»)\]]*\s+|\n\s*|[。！？，；：、]|$)/gsu

/** A text in pieces that end behind a sentence, a clause or a line; together they are the text (RT25). */
export const pieces = (text: string): readonly string[] => text.match(PIECE) ?? [text]
