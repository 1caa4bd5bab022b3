import { table } from '../../scripts/document/table.ts'
import { CELLS } from './cells.ts'
import { ROWS, WHOLE_ACCOUNT } from './rows.ts'
import { CREDENTIALS, FAMILIES, FAMILY_NAMES, KEY_KINDS } from './table.ts'

const families = (): string =>
  table(
    ['Family', 'Hosts', 'Key', 'Permission of a limited key'],
    FAMILY_NAMES.map(family => {
      const { hosts, kind, orKind, permission, token = false } = FAMILIES[family]
      const keys = orKind === undefined ? kind : `${kind} or ${orKind}`
      return [family, hosts ?? 'every', token ? `${keys}, and a connector token` : keys, permission]
    }),
  )

/** The page about who gets what. */
export const scopeMatrixPage = (): string => `# Scope matrix

This page is made from the sources by \`npm run document\`; a test keeps it current.

Which request is carried out, and which is refused with what. [The tests](../../e2e/tests/scope-matrix) ask each of its ${CELLS.length.toLocaleString('en')} cells over HTTP:
${Object.values(ROWS).flatMap(Object.keys).length} [routes](http-routes.md), ${CREDENTIALS.length} credentials (${KEY_KINDS.length} kinds of key), own and other accounts and agents, own and other hosts and regions. Refused cells change nothing.

Refusals come in this order:

1. **404** on a host of another family, **400** on a base host that names no region.
2. **401** the key is missing, wrong, revoked, expired or of another region, or it is in the wrong header.
3. **403** the key is of the wrong kind, or lacks the permission.
4. **404** the account or agent does not exist. **403** it is another account's, or another agent than the key's. An agent of another account than the path names is **404**.
5. **404** anything else that does not exist, or that belongs to another owner than the path names: a topic below a branch, a handoff of the key's account. Both read the same.

Accounts are named by id or slug. A key for one agent gets 403 from every route that does not name that agent: what concerns the account as a whole is not for it. Of the families
\`texts\`, \`calls\`, \`number-reservation\` and \`alerts\` it opens what is that agent's. It gets 403 from \`${WHOLE_ACCOUNT.join('`, `')}\` too. The families \`desk\` and \`operator\` have no such keys.

Visitors of messaging bring connector tokens and access tokens instead of keys: see rules CR10, MS10 and SM6 of the
[specification](../../e2e/SPEC.md#scope-matrix). \`/openapi.json\` and \`/asyncapi.json\` are answered at every host, with any credential and without one.

${families()}`
