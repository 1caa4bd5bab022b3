import { scopeMatrixPage } from '../../e2e/scope-matrix/page.ts'
import {
  callOperationTable,
  clientOperations,
  clientOperationTable,
  telephonyOperationTable,
  textOperationTable,
  voiceOperationTable,
} from './client-operations.ts'
import { clientWireTypes } from './client-wire-types.ts'
import { asyncApiFile } from './contract/asyncapi.ts'
import { openApiFile } from './contract/openapi.ts'
import { errorsPage } from './errors-page.ts'
import { httpRoutesPage } from './http-routes-page.ts'
import { libraryCallsPage } from './library-calls-page.ts'
import { ownershipPage } from './ownership-page.ts'
import { performancePage } from './performance-page.ts'
import { settingsPage } from './settings-page.ts'
import { settingsTypes } from './settings-types.ts'
import { wireEventsPage } from './wire-events-page.ts'

/** A file that is made from the sources. */
export interface MadeFile {
  /** From the repository's root. */
  readonly path: string
  readonly make: () => string | Promise<string>
}

/** Every file that `npm run document` writes. */
export const MADE_FILES: readonly MadeFile[] = [
  { path: 'packages/core/src/settings/settings.ts', make: settingsTypes },
  { path: 'docs/how-it-works/ownership.md', make: ownershipPage },
  { path: 'docs/performance.md', make: performancePage },
  { path: 'docs/reference/scope-matrix.md', make: scopeMatrixPage },
  { path: 'docs/reference/settings.md', make: settingsPage },
  { path: 'docs/reference/http-routes.md', make: httpRoutesPage },
  { path: 'packages/core/openapi.json', make: openApiFile },
  { path: 'packages/core/asyncapi.json', make: asyncApiFile },
  // After the document, from which it is made.
  { path: 'packages/client/src/http/operations.ts', make: clientOperations },
  { path: 'packages/client/src/http/operation-table.ts', make: clientOperationTable },
  { path: 'packages/client/src/telephony/operation-table.ts', make: telephonyOperationTable },
  { path: 'packages/client/src/texts/operation-table.ts', make: textOperationTable },
  { path: 'packages/client/src/voices/operation-table.ts', make: voiceOperationTable },
  { path: 'packages/client/src/calls/operation-table.ts', make: callOperationTable },
  { path: 'packages/client/src/messaging/wire.ts', make: clientWireTypes },
  { path: 'docs/reference/errors.md', make: errorsPage },
  { path: 'docs/reference/wire-events.md', make: wireEventsPage },
  { path: 'docs/reference/library-calls.md', make: libraryCallsPage },
]
