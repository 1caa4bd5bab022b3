import type { Command } from 'commander'
import { z } from 'zod'
import { confirm, type Terminal } from '../terminal.ts'
import { action, showList } from './command.ts'

/** Note about servers with the same store open, whose own settings a file cannot show. */
const UNSEEN =
  'note: a server whose COLLOQUY_TOKEN_SECRET (tokenSecret) is set signs with that, and with none of the keys of this file: there nothing is rotated and no token ends. Over --url such a server says so'

const COLUMNS = ['id', 'createdAt', 'verifiesUntil']

/** `token-keys list|rotate` */
export function addTokenKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('token-keys').description("the keys that sign visitors' access tokens")

  const list = keys.command('list').description('list them without their secrets, newest first')
  action(list, terminal, z.object({}), async ({ admin, json }) => {
    showList(terminal, json, await admin.tokenKeys(), COLUMNS)
  })

  const rotate = keys
    .command('rotate')
    .description('sign with a new key; tokens of the earlier ones are good until they expire')
    .option('--revoke-earlier', 'end the earlier keys with all their tokens; asks first')
    .option('--yes', 'do not ask')
  const options = z.object({ revokeEarlier: z.boolean().default(false), yes: z.boolean().default(false) })
  action(rotate, terminal, options, async ({ admin, json, options: { revokeEarlier, yes } }) => {
    await confirm(terminal, yes || !revokeEarlier, 'Ending every access token', 'rotate')
    if (admin.store !== null) terminal.err(UNSEEN)
    showList(terminal, json, await admin.rotateTokenKeys({ revokeEarlier }), COLUMNS)
  })
}
