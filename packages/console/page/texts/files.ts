import { texts } from './language.ts'

export const say = texts({
  attach: ['Attach a file', 'Datei anhängen'],
  remove: ['Remove {name}', '{name} entfernen'],
  download: ['Download {name}', '{name} herunterladen'],
  sending: ['Sending {name}', '{name} wird gesendet'],
  type: [
    '{name}: files of this type cannot be sent.',
    '{name}: Dateien dieser Art können nicht gesendet werden.',
  ],
  size: [
    '{name} is too large. At most {n} MB can be sent.',
    '{name} ist zu groß. Höchstens {n} MB können gesendet werden.',
  ],
  many: ['At most {n} files fit into a message.', 'In eine Nachricht passen höchstens {n} Dateien.'],
  wrong: [
    '{name} cannot be sent: it is damaged, or not what its name says.',
    '{name} kann nicht gesendet werden: beschädigt oder nicht das, was der Name sagt.',
  ],
  full: [
    '{name} cannot be sent: this conversation has no room for more files.',
    '{name} kann nicht gesendet werden: Dieses Gespräch hat keinen Platz für weitere Dateien.',
  ],
  lost: ['{name} was not sent. Try again.', '{name} wurde nicht gesendet. Versuchen Sie es erneut.'],
  gone: ['{name} is no longer there.', '{name} ist nicht mehr vorhanden.'],
})
