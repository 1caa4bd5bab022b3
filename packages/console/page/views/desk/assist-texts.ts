import { texts } from '../../texts/language.ts'

/** The texts about what the host's model does for live agents. */
export const say = texts({
  summary: ['Summary', 'Zusammenfassung'],
  model: ['Made by a model', 'Von einem Modell erstellt'],
  'summary.why': [
    'It may be wrong. Read the conversation before you rely on it.',
    'Sie kann falsch sein. Lesen Sie das Gespräch, bevor Sie sich darauf verlassen.',
  ],
  pending: ['The conversation is being summarized …', 'Das Gespräch wird zusammengefasst …'],
  timed_out: [
    'The model took too long to summarize this.',
    'Das Modell hat für die Zusammenfassung zu lange gebraucht.',
  ],
  failed: ['The model could not summarize this.', 'Das Modell konnte das nicht zusammenfassen.'],
  again: ['Try again', 'Erneut versuchen'],
  suggest: ['Suggest replies', 'Antworten vorschlagen'],
  suggesting: ['Looking for replies …', 'Antworten werden gesucht …'],
  suggestions: ['Suggested replies', 'Vorgeschlagene Antworten'],
  'suggestions.why': [
    'Made by a model. Choose one to edit it; nothing is sent.',
    'Von einem Modell erstellt. Wählen Sie eine zum Bearbeiten; gesendet wird nichts.',
  ],
  'suggestions.none': ['The model has no reply to suggest.', 'Das Modell hat keine Antwort vorzuschlagen.'],
  dismiss: ['Dismiss the suggestions', 'Vorschläge ausblenden'],
})
