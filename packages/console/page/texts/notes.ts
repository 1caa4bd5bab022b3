import { texts } from './language.ts'

/** The texts of notes about a conversation. */
export const say = texts({
  title: ['Notes', 'Notizen'],
  none: ['No notes yet.', 'Noch keine Notizen.'],
  new: ['New note', 'Neue Notiz'],
  add: ['Add note', 'Notiz hinzufügen'],
  why: ['For colleagues. The visitor never sees it.', 'Für Kollegen. Der Besucher sieht sie nie.'],
})
