import { texts } from './language.ts'

/** Why something failed, and what to do. */
export const say = texts({
  failed: [
    'That did not work. Try again, and tell your operator if it happens again.',
    'Das hat nicht geklappt. Versuchen Sie es noch einmal, und melden Sie es, wenn es wieder geschieht.',
  ],
  network: [
    'The server did not answer. Check your connection.',
    'Der Server antwortet nicht. Prüfen Sie die Verbindung.',
  ],
  role: [
    'You are not allowed to do this. Ask an administrator for the role.',
    'Das dürfen Sie nicht. Bitten Sie die Verwaltung um die Rolle.',
  ],
  gone: [
    'This does not exist any more. Somebody may have deleted it. Go back to the list.',
    'Das gibt es nicht mehr. Vielleicht hat es jemand gelöscht. Gehen Sie zurück zur Liste.',
  ],
  taken: [
    'This name or id is taken. Choose another one.',
    'Dieser Name oder diese Kennung ist vergeben. Wählen Sie etwas anderes.',
  ],
  'number-taken': [
    'One of these numbers belongs to an agent already, or is not yours to give.',
    'Eine dieser Nummern gehört schon einem Agenten, oder Sie dürfen sie nicht vergeben.',
  ],
  'number-format': [
    'Write each number with a plus sign and the code of its country, such as +441632960000.',
    'Schreiben Sie jede Nummer mit Pluszeichen und Landesvorwahl, zum Beispiel +4930123456.',
  ],
  limit: [
    'There are as many as there may be. Delete one that is not needed any more.',
    'Es sind so viele, wie es sein dürfen. Löschen Sie etwas, das nicht mehr gebraucht wird.',
  ],
  'limit-notes': [
    'This conversation has as many notes as it may have.',
    'Dieses Gespräch hat so viele Notizen, wie es haben darf.',
  ],
  conflict: [
    'Somebody else is changing this at the same moment. Try again.',
    'Jemand anderes ändert das gerade auch. Versuchen Sie es noch einmal.',
  ],
  changed: [
    'This has changed since it was shown. Look at what it would be now, and confirm that.',
    'Das hat sich geändert, seit es gezeigt wurde. Sehen Sie an, was es jetzt würde, und bestätigen Sie das.',
  ],
  handoff: [
    'Another live agent has this conversation, it has ended, the colleague has left the desk, or the queue is closed.',
    'Ein anderer Mitarbeiter hat dieses Gespräch, es ist beendet, der Kollege ist nicht mehr am Empfang, oder die Warteschlange ist geschlossen.',
  ],
  published: ['This environment has this version already.', 'Diese Umgebung hat diese Version schon.'],
  'tests-failed': [
    'This environment only takes versions whose tests have passed. Look at the test run.',
    'Diese Umgebung nimmt nur Versionen, deren Tests bestanden sind. Sehen Sie den Testlauf an.',
  ],
  'tests-none': [
    'There is no active test case to run. Write one first.',
    'Es gibt keinen aktiven Testfall. Schreiben Sie zuerst einen.',
  ],
  'pre-release': [
    'A version reaches Live by way of Pre-release. Promote it there first.',
    'Eine Version kommt über Vorab nach Live. Geben Sie sie zuerst dorthin frei.',
  ],
  'default-variant': [
    'One variant is the default. Make another one the default first.',
    'Eine Variante ist die vorgegebene. Geben Sie zuerst eine andere vor.',
  ],
  'not-in-schema': ['The variables do not fit the schema.', 'Die Variablen passen nicht zum Schema.'],
  'no-schema': [
    'The schema is not a JSON Schema that can be used.',
    'Das Schema ist kein JSON-Schema, das benutzt werden kann.',
  ],
  resolution: [
    'A resolution does not fit its conflict any more. Look at the conflicts again.',
    'Eine Entscheidung passt nicht mehr zu ihrem Konflikt. Sehen Sie die Konflikte noch einmal an.',
  ],
  main: [
    'main changes only through merges. Create a branch to edit.',
    'main ändert sich nur durch Zusammenführen. Legen Sie einen Zweig an, um etwas zu ändern.',
  ],
  invalid: [
    'Something that was entered is not allowed.',
    'Etwas von dem, was eingegeben wurde, ist nicht erlaubt.',
  ],
  'too-long': [
    'This is more than the server takes at once. Shorten it.',
    'Das ist mehr, als der Server auf einmal nimmt. Kürzen Sie es.',
  ],
  'not-set-up': [
    'This server is not set up for that. Its operator can change that.',
    'Dieser Server ist dafür nicht eingerichtet. Sein Betreiber kann das ändern.',
  ],
  service: [
    'A service that this needs did not work. Try again later.',
    'Ein Dienst, der dafür nötig ist, hat nicht funktioniert. Versuchen Sie es später noch einmal.',
  ],
  agent: [
    'The agent gave no answer. Try again.',
    'Der Agent hat nicht geantwortet. Versuchen Sie es noch einmal.',
  ],
  'nothing-deployed': [
    'Nothing is published there yet. Publish or promote a version first.',
    'Dort ist noch nichts veröffentlicht. Veröffentlichen Sie zuerst eine Version.',
  ],
  'chat-ended': [
    'This chat has ended. Start a new one.',
    'Dieser Chat ist beendet. Beginnen Sie einen neuen.',
  ],
  sending: [
    'It is being sent just now, or its endpoint is switched off.',
    'Es wird gerade gesendet, oder der Endpunkt ist ausgeschaltet.',
  ],
  busy: [
    'The server is busy. Try again in a moment.',
    'Der Server ist beschäftigt. Versuchen Sie es gleich noch einmal.',
  ],
  details: ['For whoever looks into it', 'Für die Fehlersuche'],
  code: ['Code: {code}', 'Code: {code}'],
  reference: ['Reference for the log: {id}', 'Kennung für das Protokoll: {id}'],
})

/** A sentence of these. */
export type Reason = Parameters<typeof say>[0]
