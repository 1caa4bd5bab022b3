import { texts } from './language.ts'

/** Texts about a turn of an agent, wherever one is shown. */
export const say = texts({
  topics: ['Topics', 'Themen'],
  'topics.cited': ['{name} · used', '{name} · verwendet'],
  functions: ['Functions', 'Funktionen'],
  failed: ['failed', 'fehlgeschlagen'],
  arguments: ['Arguments', 'Argumente'],
  result: ['Result', 'Ergebnis'],
  error: ['Error', 'Fehler'],
  variables: ['Variables', 'Variablen'],
  intents: ['Intents', 'Absichten'],
  took: ['{milliseconds} ms', '{milliseconds} ms'],
  handoff: ['Hands over to {destination}', 'Übergibt an {destination}'],
  unknown: ['Unanswered', 'Unbeantwortet'],
  silence: ['Silence', 'Stille'],
  deployment: ['Deployment {id}', 'Veröffentlichung {id}'],
  work: ['Work of the agent:', 'Arbeit des Agenten:'],
  'work.functions': ['{count} functions', '{count} Funktionen'],
  'work.failed': ['{count} failed', '{count} fehlgeschlagen'],
  'went-wrong': ['The agent failed: {why}', 'Fehler des Agenten: {why}'],
})
