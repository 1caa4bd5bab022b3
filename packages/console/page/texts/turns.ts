import { texts } from './language.ts'

/** What is said of a turn of an agent, wherever one is shown. */
export const say = texts(
  {
    topics: 'Topics',
    'topics.cited': '{name} · used',
    functions: 'Functions',
    failed: 'failed',
    arguments: 'Arguments',
    result: 'Result',
    error: 'Error',
    variables: 'Variables',
    intents: 'Intents',
    took: '{milliseconds} ms',
    handoff: 'Hands over to {destination}',
    unknown: 'Nothing known about it',
    silence: 'Silence',
    deployment: 'Deployment {id}',
    'went-wrong': 'The agent failed: {why}',
  },
  {
    topics: 'Themen',
    'topics.cited': '{name} · verwendet',
    functions: 'Funktionen',
    failed: 'fehlgeschlagen',
    arguments: 'Argumente',
    result: 'Ergebnis',
    error: 'Fehler',
    variables: 'Variablen',
    intents: 'Absichten',
    took: '{milliseconds} ms',
    handoff: 'Übergibt an {destination}',
    unknown: 'Nichts darüber bekannt',
    silence: 'Stille',
    deployment: 'Veröffentlichung {id}',
    'went-wrong': 'Der Agent ist gescheitert: {why}',
  },
)
