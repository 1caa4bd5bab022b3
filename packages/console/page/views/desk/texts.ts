import { texts } from '../../texts/language.ts'

export const say = texts({
  title: ['Desk', 'Empfang'],
  waiting: ['Waiting', 'Es warten'],
  mine: ['Your conversations', 'Ihre Gespräche'],
  others: ['With others', 'Bei anderen'],
  'waiting.none': [
    'No one is waiting. Visitors who ask for a person appear here.',
    'Niemand wartet. Wer mit einem Menschen sprechen möchte, erscheint hier.',
  ],
  'mine.none': ['Take a visitor to begin.', 'Nehmen Sie jemanden an, um zu beginnen.'],
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
    '{name} kann dann nicht mehr schreiben. Dem Besucher wird gesagt, dass Sie da sind.',
  ],
  refuse: ['Refuse', 'Ablehnen'],
  'refuse.why': [
    'The visitor reads that no one is available, and the agent continues.',
    'Dem Besucher wird gesagt, dass niemand da ist; der Agent macht weiter.',
  ],
  reason: ['Reason', 'Grund'],
  leave: ['Leave', 'Verlassen'],
  'leave.title': ['Leave this visitor?', 'Diesen Besucher verlassen?'],
  'leave.why': ['The conversation ends for the visitor, too.', 'Das Gespräch endet auch für den Besucher.'],
  return: ['Return to agent', 'Zurückgeben'],
  'return.title': ['Return this visitor to the agent?', 'Diesen Besucher an den Agenten zurückgeben?'],
  'return.why': [
    'The conversation continues with the agent, which knows what was said.',
    'Das Gespräch geht mit dem Agenten weiter; er weiß, was gesagt wurde.',
  ],
  transfer: ['Transfer', 'Weitergeben'],
  'transfer.title': ['Transfer this visitor', 'Diesen Besucher weitergeben'],
  'transfer.to': ['To', 'An'],
  'transfer.why': ['The visitor does not see it.', 'Der Besucher sieht ihn nicht.'],
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
  'send-again': ['Send again', 'Noch einmal senden'],
  sending: ['sending …', 'wird gesendet …'],
  unread: ['{count} new', '{count} neu'],
  replies: ['Replies', 'Antworten'],
  'replies.none': [
    'No replies yet. Write one below: it is kept on this device.',
    'Noch keine Antworten. Schreiben Sie unten eine: Sie bleibt auf diesem Gerät.',
  ],
  'replies.new': ['New reply', 'Neue Antwort'],
  'replies.add': ['Add', 'Hinzufügen'],
  'replies.remove': ['Remove “{text}”', '„{text}“ entfernen'],
  lost: [
    'Connection lost. It is restored automatically; what happens in between appears then.',
    'Verbindung unterbrochen. Sie wird automatisch wiederhergestellt; was inzwischen geschieht, erscheint dann.',
  ],
  sound: ['Sound', 'Ton'],
  away: ['Not connected', 'Nicht verbunden'],
  notices: ['Notifications', 'Benachrichtigungen'],
  'notices.refused': [
    'The browser does not allow this page to notify you. Its settings for this page can.',
    'Der Browser lässt diese Seite nicht benachrichtigen. In seinen Einstellungen für sie geht es.',
  ],
  notice: ['Visitors waiting at the desk: {count}', 'Am Empfang warten: {count}'],
  shortcuts: ['Shortcuts', 'Tastenkürzel'],
  'shortcut.next': ['Take the visitor who has waited longest', 'Annehmen, wer am längsten wartet'],
  'shortcut.down': ['Next conversation', 'Nächstes Gespräch'],
  'shortcut.up': ['Previous conversation', 'Voriges Gespräch'],
  'shortcut.write': ['Write', 'Schreiben'],
  'shortcut.replies': ['Replies', 'Antworten'],
  'shortcut.leave': ['Leave', 'Verlassen'],
  'shortcut.send': ['Send, in the message', 'Senden, in der Nachricht'],
  'shortcut.line': ['New line, in the message', 'Neue Zeile, in der Nachricht'],
  'shortcut.help': ['Show this list', 'Diese Liste'],
  key: ['Keys', 'Tasten'],
  does: ['Action', 'Was sie tun'],
  transcript: ['What was said', 'Was gesagt wurde'],
  choose: ['Choose a visitor on the left.', 'Wählen Sie links einen Besucher.'],
  back: ['Desk', 'Empfang'],
  gone: ['Not available any more', 'Nicht mehr da'],
  'gone.why': [
    'The visitor has left, or a colleague has finished the conversation.',
    'Der Besucher ist gegangen, oder jemand anderes hat das Gespräch beendet.',
  ],
})

const REASONS = ['timed out', 'visitor ended', 'visitor left', 'closed', 'live agent absent'] as const

/** Why a conversation is over, in the language of the page where the reason is one of the platform's. */
export function sayOver(reason: string | null): string {
  if (reason === null) return say('is-over')
  if (reason === 'returned' || reason === 'transferred') return say(`is-${reason}`)
  const known = REASONS.find(one => one === reason)
  return say('is-over.why', { reason: known === undefined ? reason : say(`why.${known}`) })
}
