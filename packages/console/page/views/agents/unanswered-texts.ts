import { texts } from '../../texts/language.ts'

export const say = texts({
  unanswered: ['Unanswered', 'Unbeantwortet'],
  none: ['No open questions', 'Keine offenen Fragen'],
  'none.why': [
    'The agent found something for every message of the newest conversations.',
    'Der Agent hat zu jeder Nachricht der neuesten Gespräche etwas gefunden.',
  ],
  read: [
    'Open questions in the newest {conversations} conversations: {questions}',
    'Offene Fragen der neuesten {conversations} Gespräche: {questions}',
  ],
  meaning: ['Grouped by words and meaning.', 'Gruppiert nach Wörtern und Bedeutung.'],
  words: ['Grouped by words.', 'Gruppiert nach Wörtern.'],
  asked: ['Asked {count} times', '{count}-mal gefragt'],
  once: ['Asked once', 'Einmal gefragt'],
  write: ['Write a topic', 'Thema schreiben'],
  content: ['Answer', 'Antwort'],
  queries: ['Example questions, one a line', 'Beispielfragen, eine je Zeile'],
})
