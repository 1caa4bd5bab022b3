import { texts } from '../../texts/language.ts'

export const say = texts({
  title: ['Data of a visitor', 'Daten eines Besuchers'],
  why: [
    'Export or erase all that is stored about one person: conversations with every agent, transcripts and notes.',
    'Exportieren oder löschen Sie alles, was zu einer Person gespeichert ist: Gespräche mit allen Agenten, Verläufe und Notizen.',
  ],
  by: ['Find by', 'Suchen nach'],
  'by.visitor': ['Id of the visitor', 'Kennung des Besuchers'],
  'by.phone': ['Phone number', 'Telefonnummer'],
  find: ['Find', 'Suchen'],
  none: ['Nothing is stored about this visitor.', 'Zu diesem Besucher ist nichts gespeichert.'],
  conversations: ['Conversations', 'Gespräche'],
  'in-progress': ['In progress', 'Laufend'],
  first: ['First', 'Erstes'],
  last: ['Last', 'Letztes'],
  numbers: ['Numbers they exchanged texts with', 'Nummern, mit denen SMS ausgetauscht wurden'],
  export: ['Export', 'Exportieren'],
  erase: ['Erase everything', 'Alles löschen'],
  'erase.title': ['Erase the data of {visitor}?', 'Die Daten von {visitor} löschen?'],
  'erase.why': [
    'Conversations that are removed with their transcripts, notes, handoffs and texts: {count}. This cannot be undone.',
    'Gespräche, die mit Verläufen, Notizen, Übergaben und SMS entfernt werden: {count}. Das lässt sich nicht rückgängig machen.',
  ],
  'erase.open': [
    'Conversations in progress stay: {count}. Erase again once they have ended.',
    'Laufende Gespräche bleiben: {count}. Löschen Sie erneut, sobald sie beendet sind.',
  ],
  'erase.recordings': [
    'Recordings in your own storage stay. The export names them.',
    'Aufnahmen in Ihrem eigenen Speicher bleiben. Der Export nennt sie.',
  ],
  erased: ['Conversations that were removed: {count}.', 'Entfernte Gespräche: {count}.'],
})
