/**
 * Reports whether a key belongs to a word that is being composed. For the key that ends it, Safari shows that only by
 * its code.
 */
export const isComposing = ({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean => isComposing || keyCode === 229
