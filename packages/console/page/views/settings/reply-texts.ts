import { texts } from '../../texts/language.ts'

export const say = texts({
  replies: ['Shared replies', 'Gemeinsame Antworten'],
  why: [
    'Live agents find them at the desk by typing a slash and the code.',
    'Mitarbeiter finden sie am Empfang mit einem Schrägstrich und dem Kürzel.',
  ],
  new: ['New reply', 'Neue Antwort'],
  none: ['No shared replies yet', 'Noch keine gemeinsamen Antworten'],
  code: ['Code', 'Kürzel'],
  'code.hint': [
    'One word: letters, digits, - and _. Upper and lower case are the same.',
    'Ein Wort: Buchstaben, Ziffern, - und _. Groß und klein ist dasselbe.',
  ],
  text: ['Text', 'Text'],
  'text.hint': [
    'These are filled in: {visitor} the visitor, {agent} the agent, {me} the live agent.',
    'Diese werden ausgefüllt: {visitor} der Besucher, {agent} der Agent, {me} der Mitarbeiter.',
  ],
  language: ['Language', 'Sprache'],
  'language.hint': ['Optional, for example en.', 'Kann leer bleiben, zum Beispiel de.'],
  agent: ['Agent', 'Agent'],
  'agent.all': ['All agents', 'Alle Agenten'],
  change: ['Change', 'Ändern'],
  'change.of': ['Change /{code}', '/{code} ändern'],
  save: ['Save', 'Speichern'],
  delete: ['Delete', 'Löschen'],
  'delete.of': ['Delete /{code}?', '/{code} löschen?'],
  'delete.why': [
    'Live agents no longer find it. What was said with it stays.',
    'Mitarbeiter finden sie nicht mehr. Was damit gesagt wurde, bleibt.',
  ],
})
