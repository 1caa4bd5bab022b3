/**
 * Reports whether a key belongs to a word that is composed: Safari says so by its code alone for the key that ends it.
 */
export const isComposing = ({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean => isComposing || keyCode === 229
