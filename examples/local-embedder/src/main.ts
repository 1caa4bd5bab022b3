import { type Log, silentLog } from '@colloquy/core'
import { PARAPHRASES } from './front-desk.ts'
import { openFrontDesk } from './host.ts'
import { createLocalEmbedder } from './local-embedder.ts'

const questions = process.argv.slice(2)
const embedder = createLocalEmbedder()
const words = await openFrontDesk(null, silentLog)
const meanings = await new Promise<Awaited<ReturnType<typeof openFrontDesk>>>((resolve, reject) => {
  const warn: Log['warn'] = (message, fields) => reject(new Error(message, { cause: fields?.error }))
  const log: Log = { ...silentLog, info: () => opening.then(resolve, reject), warn }
  const opening = openFrontDesk(embedder, log)
  opening.catch(reject)
})
const asked = questions.length > 0 ? questions : PARAPHRASES.map(({ question }) => question)
for (const question of asked) {
  console.log(`You: ${question}`)
  console.log(`  By words:   ${await words.ask(question)}`)
  console.log(`  By meaning: ${await meanings.ask(question)}`)
}
await Promise.all([words.platform.close(), meanings.platform.close(), embedder.close()])
