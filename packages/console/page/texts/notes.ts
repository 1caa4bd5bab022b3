import { texts } from './language.ts'

/** The texts of notes about a conversation. */
export const say = texts({
  title: ['Notes', 'Notizen'],
  none: ['No notes yet.', 'Noch keine Notizen.'],
  new: ['New note', 'Neue Notiz'],
  add: ['Add note', 'Notiz hinzufügen'],
  edit: ['Edit your note', 'Ihre Notiz ändern'],
  save: ['Save note', 'Notiz speichern'],
  remove: ['Delete note', 'Notiz löschen'],
  edited: ['edited', 'geändert'],
  why: ['For colleagues. The visitor never sees it.', 'Für Kollegen. Der Besucher sieht sie nie.'],
})
