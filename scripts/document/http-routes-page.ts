import type { Family } from '../../packages/core/src/domain/family.ts'
import { PERMISSION } from '../../packages/core/src/http/authorize.ts'
import type { Route, RouteCredential } from '../../packages/core/src/http/route.ts'
import { routes } from '../../packages/core/src/http/routes.ts'
import { FAMILIES } from './families.ts'
import { type SchemaField, schemaFields } from './schema-fields.ts'
import { MADE, table } from './table.ts'

const CREDENTIALS: Readonly<Record<RouteCredential, string>> = {
  workspace: 'a workspace key in `x-api-key`',
  project: 'a project key in `x-api-key`',
  external_events: 'an external-events key in `x-api-key`',
  desk: 'a desk key in `x-api-key`',
  operator: 'an operator key in `Authorization: Bearer`',
  host_key: 'a project or workspace key in `x-api-key`',
  key_and_token: 'a project or workspace key in `x-api-key`, and a connector token in `x-token`',
  key_and_line:
    'a project or workspace key in `x-<brand>-auth-token`, and the id of a telephony connector in `x-token-id`',
  line_key:
    'a project or workspace key in `x-<brand>-auth-token`, and the id of a telephony connector in `x-token-id`; optional with a key of one agent',
  own: 'what the contract says of the route',
}

/** Every name stands for itself, so that a route tells which of its parameters name what. */
const names = new Proxy({}, { get: (_, name) => String(name) })

/** Returns the account and agent that a request concerns, and so the keys that open it. */
function scopeOf(route: Route): string {
  const scope = route.scope?.({ params: names, readQuery: () => names })
  if (scope === undefined) return ''
  const what = [
    ...(scope.account === undefined ? [] : [`the account \`${scope.account}\``]),
    ...(scope.agent === undefined ? [] : [`the agent \`${scope.agent}\``]),
  ].join(' and ')
  const whole = scope.wholeAccount === true ? '; a key for one agent does not open it' : ''
  const deleted = scope.evenDeleted === true ? ', which may have been deleted' : ''
  return `Concerns ${what}${deleted}${whole}.`
}

const rowsOf = (where: string, fields: readonly SchemaField[]): readonly (readonly string[])[] =>
  fields.map(({ name, required, allowed }) => [where, `\`${name}\``, required ? 'yes' : '', allowed])

function routeSection(route: Route): string {
  const { method, path, summary, body } = route
  const rows = [
    ...rowsOf('query', schemaFields(route.query)),
    ...(body === null || body === 'raw' ? [] : rowsOf('body', schemaFields(body))),
  ]
  const notes = [
    `${summary}.`,
    scopeOf(route),
    ...(body === 'raw' ? ['The body is taken as it is, of any content type.'] : []),
    ...(route.refusesPlainText === true ? ['Refused over plain text.'] : []),
  ].filter(note => note !== '')
  return [
    `### ${method} ${path}\n\n${notes.join(' ')}\n`,
    table(['In', 'Field', 'Required', 'Allowed'], rows),
  ]
    .filter(part => part !== '')
    .join('\n')
}

function familySection(family: Family): string {
  const [title, page] = FAMILIES[family]
  const own = routes.filter(route => route.family === family)
  const credentials = [...new Set(own.map(({ credential }) => CREDENTIALS[credential]))].join(', or ')
  const permission = PERMISSION[family]
  const limited = permission === null ? '' : ` A limited key needs the permission \`${permission}\`.`
  return [
    `## ${title}\n\nCredential: ${credentials}.${limited} Answers: [the contract](../contract/${page}).\n`,
    ...own.map(routeSection),
  ].join('\n')
}

/** The reference page about everything that can be asked for over HTTP. */
export function httpRoutesPage(): string {
  const families = [...new Set(routes.map(({ family }) => family))]
  return [
    `# HTTP routes

${MADE}

All ${routes.length} routes, as the dispatcher has them. Paths begin where the host mounts them; \`:name\` stands for a part of the path, percent-encoded. Bodies are JSON objects;
in the query every value is text. The contract has a page about the responses of each family, and one about [errors](../contract/errors.md). All codes are on
[error codes](errors.md), and which key opens what in the [scope matrix](scope-matrix.md).
`,
    ...families.map(familySection),
  ].join('\n')
}
