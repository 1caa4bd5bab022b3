import { streamText } from 'ai'
import Database from 'better-sqlite3'
import { earlier, model, SYSTEM, WINDOW } from './shared.mjs'

/** The least that keeps a history: three statements and one commit a turn. */
export async function open(folder) {
  const database = new Database(`${folder}/chat.db`)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(
    'create table if not exists lines (chat text, at integer, role text, text text, primary key (chat, at)) without rowid',
  )
  const newest = database.prepare(
    'select role, text as content from lines where chat = ? order by at desc limit ?',
  )
  const insert = database.prepare(
    'insert into lines select ?, coalesce(max(at), 0) + 1, ?, ? from lines where chat = ?',
  )
  const append = database.transaction((chat, lines) => {
    for (const { role, text } of lines) insert.run(chat, role, text, chat)
  })
  return {
    async turn(id, text) {
      const messages = [...newest.all(id, WINDOW - 1).reverse(), { role: 'user', content: text }]
      const answer = await streamText({ model, system: SYSTEM, messages }).text
      append(id, [
        { role: 'user', text },
        { role: 'assistant', text: answer },
      ])
      return answer
    },
    async seed(id, lines) {
      append(id, earlier(lines))
      return id
    },
    close: () => database.close(),
  }
}
