import { texts } from '../../texts/language.ts'

export const say = texts({
  title: ['Desk', 'Empfang'],
  waiting: ['Waiting', 'Wartend'],
  mine: ['Your conversations', 'Ihre Gespräche'],
  others: ['With others', 'Bei anderen'],
  'waiting.none': [
    'No one is waiting. Visitors who ask for a person appear here.',
    'Niemand wartet. Besucher, die mit einem Menschen sprechen möchten, erscheinen hier.',
  ],
  'mine.none': ['Take a visitor to begin.', 'Nehmen Sie einen Besucher an, um zu beginnen.'],
  with: ['with {name}', 'bei {name}'],
  visitor: ['Visitor', 'Besucher'],
  agent: ['Agent', 'Agent'],
  live: ['Live agent', 'Mitarbeiter'],
  queue: ['Queue {name}', 'Warteschlange {name}'],
  'waits-for': ['waiting for {time}', 'wartet seit {time}'],
  take: ['Take', 'Annehmen'],
  'take.next': ['Take the next one', 'Nächsten annehmen'],
  'take-over': ['Take over', 'Übernehmen'],
  'take-over.title': ['Take this visitor over from {name}?', 'Diesen Besucher von {name} übernehmen?'],
  'take-over.why': [
    '{name} can no longer write. The visitor reads that you have joined.',
    '{name} kann dann nicht mehr schreiben. Der Besucher liest, dass Sie dazugekommen sind.',
  ],
  refuse: ['Refuse', 'Ablehnen'],
  'refuse.why': [
    'The visitor reads that no one is available, and the agent continues.',
    'Der Besucher liest, dass niemand verfügbar ist, und der Agent macht weiter.',
  ],
  reason: ['Reason', 'Grund'],
  leave: ['Leave', 'Verlassen'],
  'leave.title': ['Leave this visitor?', 'Diesen Besucher verlassen?'],
  'leave.why': ['The conversation ends for the visitor, too.', 'Das Gespräch endet auch für den Besucher.'],
  return: ['Return to agent', 'An den Agenten zurückgeben'],
  'return.title': ['Return this visitor to the agent?', 'Diesen Besucher an den Agenten zurückgeben?'],
  'return.why': [
    'The conversation continues with the agent, which knows what was said.',
    'Das Gespräch geht mit dem Agenten weiter; er weiß, was gesagt wurde.',
  ],
  transfer: ['Transfer', 'Weitergeben'],
  'transfer.title': ['Transfer this visitor', 'Diesen Besucher weitergeben'],
  'transfer.to': ['To', 'An'],
  'transfer.why': ['The visitor does not see the reason.', 'Der Besucher sieht den Grund nicht.'],
  'transfer.none': ['No one else is at the desk now.', 'Zurzeit ist niemand sonst am Empfang.'],
  came: ['{name} transferred this visitor', '{name} hat diesen Besucher weitergegeben'],
  'is-transferred': [
    'The visitor waits for another live agent.',
    'Der Besucher wartet auf einen anderen Mitarbeiter.',
  ],
  'put-away': ['Dismiss', 'Ausblenden'],
  'is-over': ['This conversation has ended.', 'Dieses Gespräch ist beendet.'],
  'is-returned': ['The agent continues with this visitor.', 'Der Agent macht mit diesem Besucher weiter.'],
  'is-with': ['{name} has taken over this visitor.', '{name} hat diesen Besucher übernommen.'],
  'is-over.why': ['This conversation has ended: {reason}.', 'Dieses Gespräch ist beendet: {reason}.'],
  'why.timed out': ['it timed out', 'die Zeit ist abgelaufen'],
  'why.visitor ended': ['the visitor ended it', 'der Besucher hat es beendet'],
  'why.visitor left': ['the visitor left', 'der Besucher ist gegangen'],
  'why.closed': ['it was closed', 'es wurde geschlossen'],
  'why.live agent absent': ['no live agent was there', 'kein Mitarbeiter war da'],
  typing: ['The visitor is typing …', 'Der Besucher schreibt …'],
  message: ['Your message', 'Ihre Nachricht'],
  send: ['Send', 'Senden'],
  'not-sent': ['Not sent.', 'Nicht gesendet.'],
  'send-again': ['Send again', 'Erneut senden'],
  sending: ['sending …', 'wird gesendet …'],
  unread: ['{count} new', '{count} neu'],
  replies: ['Replies', 'Antworten'],
  'replies.none': [
    'No replies yet. Write one below: it is kept on this device.',
    'Noch keine Antworten. Schreiben Sie unten eine: Sie wird auf diesem Gerät gespeichert.',
  ],
  slash: [
    'Shared replies: {count}. Arrow keys choose, Enter takes one.',
    'Gemeinsame Antworten: {count}. Pfeiltasten wählen, Enter übernimmt.',
  ],
  'slash.list': ['Shared replies', 'Gemeinsame Antworten'],
  'slash.none': ['No shared reply has this code.', 'Keine gemeinsame Antwort hat dieses Kürzel.'],
  'replies.new': ['New reply', 'Neue Antwort'],
  'replies.add': ['Add', 'Hinzufügen'],
  'replies.remove': ['Remove “{text}”', '„{text}“ entfernen'],
  lost: [
    'Connection lost. It is restored automatically; what happens in between appears then.',
    'Verbindung unterbrochen. Sie wird automatisch wiederhergestellt, und was inzwischen geschieht, erscheint dann.',
  ],
  sound: ['Sound', 'Ton'],
  away: ['Not connected', 'Nicht verbunden'],
  notices: ['Notifications', 'Benachrichtigungen'],
  'notices.refused': [
    'The browser does not allow this page to notify you. You can change that in its settings for this page.',
    'Der Browser erlaubt dieser Seite keine Benachrichtigungen. Sie können das in seinen Einstellungen für diese Seite ändern.',
  ],
  notice: ['Visitors waiting at the desk: {count}', 'Am Empfang warten: {count}'],
  shortcuts: ['Shortcuts', 'Tastenkürzel'],
  'shortcut.next': [
    'Take the visitor who has waited longest',
    'Den Besucher annehmen, der am längsten wartet',
  ],
  'shortcut.down': ['Next conversation', 'Nächstes Gespräch'],
  'shortcut.up': ['Previous conversation', 'Voriges Gespräch'],
  'shortcut.write': ['Write', 'Schreiben'],
  'shortcut.replies': ['Replies', 'Antworten'],
  'shortcut.slash': ['Shared replies, in the message', 'Gemeinsame Antworten, in der Nachricht'],
  'shortcut.leave': ['Leave', 'Verlassen'],
  'shortcut.send': ['Send, in the message', 'Senden, in der Nachricht'],
  'shortcut.line': ['New line, in the message', 'Neue Zeile, in der Nachricht'],
  'shortcut.help': ['Show this list', 'Diese Liste anzeigen'],
  key: ['Keys', 'Tasten'],
  does: ['Action', 'Aktion'],
  transcript: ['Transcript', 'Verlauf'],
  choose: ['Choose a visitor on the left.', 'Wählen Sie links einen Besucher.'],
  back: ['Desk', 'Empfang'],
  gone: ['Not available any more', 'Nicht mehr verfügbar'],
  'gone.why': [
    'The visitor has left, or a colleague has finished the conversation.',
    'Der Besucher ist gegangen, oder ein Kollege hat das Gespräch beendet.',
  ],
})

const REASONS = ['timed out', 'visitor ended', 'visitor left', 'closed', 'live agent absent'] as const

/** Returns why a conversation is over, in the language of the page where the reason is one of the platform's. */
export function sayOver(reason: string | null): string {
  if (reason === null) return say('is-over')
  if (reason === 'returned' || reason === 'transferred') return say(`is-${reason}`)
  const known = REASONS.find(one => one === reason)
  return say('is-over.why', { reason: known === undefined ? reason : say(`why.${known}`) })
}
