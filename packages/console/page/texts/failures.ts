import { texts } from './language.ts'

/** The reason why something failed, and what to do. */
export const say = texts({
  failed: [
    'That did not work. Try again, and tell your operator if it happens again.',
    'Das hat nicht geklappt. Versuchen Sie es erneut, und melden Sie es Ihrem Betreiber, wenn es wieder geschieht.',
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
    'Das gibt es nicht mehr. Vielleicht hat es jemand gelöscht. Gehen Sie zur Liste zurück.',
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
    'The limit is reached. Delete one that is not needed any more.',
    'Die Höchstzahl ist erreicht. Löschen Sie etwas, das nicht mehr gebraucht wird.',
  ],
  'limit-talks': [
    'A live agent may have only so many conversations at once. End or transfer one first.',
    'Ein Mitarbeiter darf nur eine bestimmte Zahl von Gesprächen zugleich haben. Beenden Sie erst eines, oder geben Sie es weiter.',
  ],
  'limit-notes': [
    'This conversation has as many notes as it may have.',
    'Dieses Gespräch hat so viele Notizen, wie es haben darf.',
  ],
  conflict: [
    'Somebody else is changing this at the same moment. Try again.',
    'Jemand anderes ändert das gerade auch. Versuchen Sie es erneut.',
  ],
  changed: [
    'This has changed since it was shown. Look at what it would be now, and confirm that.',
    'Das hat sich geändert, seit es angezeigt wurde. Prüfen Sie die neue Fassung, und bestätigen Sie sie.',
  ],
  handoff: [
    'Another live agent has this conversation, it has ended, the colleague has left the desk or is away, or the queue is closed.',
    'Ein anderer Mitarbeiter hat dieses Gespräch, es ist beendet, der Kollege ist nicht mehr am Empfang oder abwesend, oder die Warteschlange ist geschlossen.',
  ],
  rollout: [
    'Two versions share this environment. End the rollout first.',
    'Zwei Versionen teilen sich diese Umgebung. Beenden Sie zuerst den Rollout.',
  ],
  candidate: [
    'This version cannot be tried here: it is what runs already, or comes from a later environment.',
    'Diese Version lässt sich hier nicht erproben: Sie läuft schon, oder sie kommt aus einer späteren Umgebung.',
  ],
  published: ['This environment has this version already.', 'Diese Umgebung hat diese Version schon.'],
  'tests-failed': [
    'This environment only takes versions whose tests have passed. Look at the test run.',
    'In dieser Umgebung sind nur Versionen erlaubt, deren Tests bestanden sind. Sehen Sie sich den Testlauf an.',
  ],
  'replay-failed': [
    'This environment only takes versions of which a replay of conversations has passed. Look at the replay.',
    'In dieser Umgebung sind nur Versionen erlaubt, mit denen wiederholte Gespräche bestanden sind. Sehen Sie sich die Wiederholung an.',
  ],
  'tests-none': [
    'There is no active test case to run. Write one first.',
    'Es gibt keinen aktiven Testfall. Schreiben Sie zuerst einen.',
  ],
  'pre-release': [
    'A version reaches Live by way of Pre-release. Promote it there first.',
    'Eine Version kommt nur über Vorab nach Live. Geben Sie sie zuerst für Vorab frei.',
  ],
  'default-variant': [
    'One variant is the default. Make another one the default first.',
    'Eine Variante muss der Standard sein. Machen Sie zuerst eine andere zum Standard.',
  ],
  'not-in-schema': ['The variables do not fit the schema.', 'Die Variablen passen nicht zum Schema.'],
  'no-schema': ['This is not a valid JSON Schema.', 'Das ist kein gültiges JSON-Schema.'],
  resolution: [
    'A resolution does not fit its conflict any more. Look at the conflicts again.',
    'Eine Entscheidung passt nicht mehr zu ihrem Konflikt. Sehen Sie sich die Konflikte noch einmal an.',
  ],
  main: [
    'main changes only through merges. Create a branch to edit.',
    'main ändert sich nur durch Zusammenführen. Legen Sie einen Zweig an, um etwas zu ändern.',
  ],
  invalid: ['Something that was entered is not allowed.', 'Eine der Eingaben ist nicht erlaubt.'],
  'too-long': [
    'This is too long for the server. Shorten it.',
    'Das ist zu lang für den Server. Kürzen Sie es.',
  ],
  'not-set-up': [
    'This server is not set up for that. Its operator can change that.',
    'Dieser Server ist dafür nicht eingerichtet. Sein Betreiber kann das ändern.',
  ],
  service: [
    'A service that this needs did not work. Try again later.',
    'Ein Dienst, der dafür nötig ist, antwortet nicht richtig. Versuchen Sie es später erneut.',
  ],
  agent: [
    'The agent gave no answer. Try again.',
    'Der Agent hat nicht geantwortet. Versuchen Sie es erneut.',
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
    'Der Server ist ausgelastet. Versuchen Sie es gleich erneut.',
  ],
  details: ['Details for troubleshooting', 'Für die Fehlersuche'],
  code: ['Code: {code}', 'Code: {code}'],
  reference: ['Reference for the log: {id}', 'Kennung für das Serverprotokoll: {id}'],
})

/** A sentence of these. */
export type Reason = Parameters<typeof say>[0]
