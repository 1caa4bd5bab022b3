import { texts } from '../../texts/language.ts'

/** The texts about who a visitor is. */
export const say = texts({
  title: ['Visitor', 'Besucher'],
  open: ['About the visitor', 'Über den Besucher'],
  name: ['Name', 'Name'],
  page: ['Page', 'Seite'],
  language: ['Language', 'Sprache'],
  device: ['Device', 'Gerät'],
  'device.desktop': ['computer', 'Computer'],
  'device.phone': ['phone', 'Telefon'],
  'device.tablet': ['tablet', 'Tablet'],
  since: ['Waiting since', 'Wartet seit'],
  rating: ['Rating', 'Bewertung'],
  score: ['{score} of 5', '{score} von 5'],
  attributes: ['From your systems', 'Aus Ihren Systemen'],
  verified: ['Verified', 'Geprüft'],
  earlier: ['Earlier conversations', 'Frühere Gespräche'],
  running: ['In progress', 'Läuft'],
  last: ['Last message', 'Letzte Nachricht'],
})
