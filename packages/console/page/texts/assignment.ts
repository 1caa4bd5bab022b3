import { texts } from './language.ts'

export const say = texts({
  assignment: ['Assignment', 'Zuteilung'],
  why: [
    'Visitors of an assigned queue are offered to one live agent after the other. Other queues are for anyone.',
    'Besucher einer zugeteilten Warteschlange werden einem Mitarbeiter nach dem anderen angeboten. Andere Warteschlangen sind für alle da.',
  ],
  new: ['Assign a queue', 'Warteschlange zuteilen'],
  none: ['Every queue is for anyone', 'Alle Warteschlangen sind für alle da'],
  queue: ['Queue', 'Warteschlange'],
  'queue.hint': [
    'As in the connector, or the destination that the agent names.',
    'Wie im Konnektor, oder das Ziel, das der Agent nennt.',
  ],
  mode: ['To', 'An'],
  round_robin: ['Each in turn', 'Reihum'],
  least_busy: ['Whoever has the fewest conversations', 'Wer die wenigsten Gespräche hat'],
  skills: ['Skills', 'Kenntnisse'],
  'skills.hint': [
    'Such as billing, {language}. All are needed.',
    'Etwa Rechnungen, {language}. Alle sind nötig.',
  ],
  'skills.none': ['any', 'beliebig'],
  change: ['Change', 'Ändern'],
  'change.of': ['Change the assignment of {name}', 'Zuteilung von {name} ändern'],
  save: ['Save', 'Speichern'],
  remove: ['Remove', 'Entfernen'],
  'remove.of': ['Remove the assignment of {name}?', 'Zuteilung von {name} entfernen?'],
  'remove.why': ['The queue is for anyone then.', 'Die Warteschlange ist dann für alle da.'],
})
