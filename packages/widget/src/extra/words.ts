/** Texts shown outside the chat, by language. */
const WORDS = {
  en: { trouble: 'Chat unavailable.', close: 'Close', unread: 'New messages: {n}' },
  de: { trouble: 'Chat nicht verfügbar.', close: 'Schließen', unread: 'Neue Nachrichten: {n}' },
  fr: { trouble: 'Chat non disponible.', close: 'Fermer', unread: 'Nouveaux messages : {n}' },
  es: { trouble: 'Chat no disponible.', close: 'Cerrar', unread: 'Mensajes nuevos: {n}' },
  ar: { trouble: 'المحادثة غير متاحة.', close: 'إغلاق', unread: 'رسائل جديدة: {n}' },
} as const

const isKnown = (language: string): language is keyof typeof WORDS => Object.hasOwn(WORDS, language)

/** Returns the words of a language that the launcher speaks. */
export const wordsOf = (language: string) => WORDS[isKnown(language) ? language : 'en']
