import type { Command } from 'commander'
import { z } from 'zod'
import { confirm, type Terminal } from '../terminal.ts'
import { action, showDone, showList, showOne, wholeNumber } from './command.ts'

const COLUMNS = ['kid', 'createdAt', 'verifiesUntil']

/** The context keys of a connector as it is shown; none if the server is of a version without them. */
const listed = z.looseObject({ contextKeys: z.array(z.record(z.string(), z.json())).default([]) })

/** `context-keys list|rotate|revoke` */
export function addContextKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program
    .command('context-keys')
    .description("the keys with which a connector's back end signs verified context")

  const list = keys
    .command('list')
    .description('list them without their secrets, newest first')
    .argument('<connector>', 'CONNECTOR-…')
  action(list, terminal, z.object({}), async ({ admin, args: [id = ''], json }) => {
    showList(terminal, json, listed.parse(await admin.connector(id)).contextKeys, COLUMNS)
  })

  const rotate = keys
    .command('rotate')
    .description('sign with a new key; its secret is shown this once')
    .argument('<connector>', 'CONNECTOR-…')
    .option('--overlap <seconds>', 'how long the key before is good; a day unless given')
  const options = z.object({ overlap: wholeNumber(0, 2_592_000).exactOptional() })
  action(rotate, terminal, options, async ({ admin, args: [id = ''], json, options: { overlap } }) => {
    const rotation = overlap === undefined ? {} : { overlapSeconds: overlap }
    showOne(terminal, json, await admin.rotateContextKeys(id, rotation), 'secret')
  })

  const revoke = keys
    .command('revoke')
    .description('revoke all of a connector: what they signed is not taken any more')
    .argument('<connector>', 'CONNECTOR-…')
    .option('--yes', 'do not ask')
  const yes = z.object({ yes: z.boolean().default(false) })
  action(revoke, terminal, yes, async ({ admin, args: [id = ''], json, options }) => {
    await confirm(terminal, options.yes, `Revoking the context keys of ${id}`, id)
    await admin.revokeContextKeys(id)
    showDone(terminal, json, { id, contextKeys: [] }, `Revoked the context keys of ${id}.`)
  })
}
