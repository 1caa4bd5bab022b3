/** Tests that `npm test` leaves out, grouped by what they look for. */
export interface TestKind {
  /** Finds faults of this sort. */
  readonly about: string
  /** The run is ended after this many minutes, and has failed then. */
  readonly minutes: number
  /** Paths from the root of the repository, or globs. */
  readonly files: readonly string[]
}

/** Every `*.campaign.test.ts` is in exactly one kind (TS6). */
export const TEST_KINDS = {
  properties: {
    about: 'States, merges, intervals and races, with more tries than npm test has time for',
    minutes: 20,
    files: [
      '**/*.property.test.ts',
      '**/*.property.campaign.test.ts',
      'packages/core/tests/conversation/exploration/exploration.campaign.test.ts',
      'packages/core/tests/messaging/interleavings.campaign.test.ts',
    ],
  },
  stores: {
    about: 'The store contract over further ways of opening a store',
    minutes: 10,
    files: [
      'packages/adapter-sqlite/tests/contract-in-memory.campaign.test.ts',
      'packages/{adapter-mariadb,adapter-postgres}/tests/contract.campaign.test.ts',
      'packages/adapter-postgres/tests/contract-ways.campaign.test.ts',
      'packages/adapter-postgres/tests/copies.campaign.test.ts',
      'packages/admin-cli/tests/files.campaign.test.ts',
      'e2e/tests/copy.campaign.test.ts',
      'e2e/tests/store-mutants.campaign.test.ts',
      'packages/{adapter-mariadb,adapter-postgres,adapter-sqlite}/tests/later-kinds.campaign.test.ts',
    ],
  },
  fuzz: {
    about: 'Every route under nonsense',
    minutes: 10,
    files: ['e2e/tests/{fuzz-routes,numbers}.campaign.test.ts'],
  },
  storm: {
    about: 'Programs that are killed, stopped or flooded while many talk to them',
    minutes: 20,
    files: [
      'e2e/tests/{chats,drain,pause,races,replay-killed,silence,standalone-webhooks,storm}.campaign.test.ts',
      'packages/adapter-mariadb/tests/killed.campaign.test.ts',
      'packages/adapter-sqlite/tests/{agents,handoff}-races.campaign.test.ts',
      'packages/integrations/tests/twilio/killed.campaign.test.ts',
      'packages/voice-gateway/tests/killed-{calls,phone}.campaign.test.ts',
      'packages/client/tests/killed-server.campaign.test.ts',
    ],
  },
  'power-cut': {
    about: 'Files of stores after a power cut, and on a full disk',
    minutes: 10,
    files: [
      'packages/adapter-sqlite/tests/power-cut.campaign.test.ts',
      'packages/adapter-postgres/tests/disk.campaign.test.ts',
    ],
  },
  nodes: {
    about: 'Several processes over one database and one bus',
    minutes: 20,
    files: [
      'e2e/tests/{failover,nodes,production,standalone-nodes,standalone-postgres}.campaign.test.ts',
      'examples/cluster/tests/cluster.campaign.test.ts',
      'packages/adapter-postgres/tests/broker-bus.campaign.test.ts',
      'packages/brokers/tests/redis-bus/broker-bus.campaign.test.ts',
      'packages/brokers/tests/redis-limits/two-processes.campaign.test.ts',
      'packages/widget/tests/nodes.campaign.test.ts',
    ],
  },
  screens: {
    about: 'Console, widget, demo and pages of others in a browser',
    minutes: 20,
    files: [
      'packages/console/tests/*.campaign.test.ts',
      'packages/widget/tests/{chat,files,framed,page,page-api,page-kinds,page-swaps,screens,voice}.campaign.test.ts',
      'packages/integrations/tests/ag-ui/{assistant-ui,copilotkit}.campaign.test.ts',
      'packages/voice-gateway/tests/webrtc/browser.campaign.test.ts',
      'e2e/tests/{demo,widget-guide}.campaign.test.ts',
      'examples/standalone/tests/{console,demo-page,docs-page}.campaign.test.ts',
    ],
  },
  guides: {
    about: 'Guides and examples, walked as a newcomer walks them',
    minutes: 10,
    files: [
      'e2e/tests/{admin,first-chat,guides,quickstart,start,tutorial-code,tutorial-console}.campaign.test.ts',
      'e2e/tests/scope-matrix/matrix.campaign.test.ts',
      'examples/standalone/tests/first-minute.campaign.test.ts',
      'examples/terminal-transport/tests/terminal.campaign.test.ts',
      'examples/webhook-live-agents/tests/road.campaign.test.ts',
      'scripts/tests/{site,summary-reporter}.campaign.test.ts',
    ],
  },
  packaging: {
    about: 'Packages as they are built, packed and installed, on each supported Node',
    minutes: 20,
    files: [
      'scripts/tests/{api-report,expressions,installed,packaging}.campaign.test.ts',
      'e2e/tests/next.campaign.test.ts',
    ],
  },
} as const satisfies Readonly<Record<string, TestKind>>

/** The name of a kind. */
export type TestKindName = keyof typeof TEST_KINDS

/** True for the name of a kind. */
export const isTestKind = (name: string): name is TestKindName => Object.hasOwn(TEST_KINDS, name)

/** Runs beside the kinds that {@link TEST_KINDS} names, each a choice of files. */
export const TEST_CHOICES = {
  /** Further tests of `.ci/run`: those that find regressions in minutes. */
  landing: [
    'scripts/tests/{api-report,installed,packaging}.campaign.test.ts',
    'scripts/tests/summary-reporter.campaign.test.ts',
    'e2e/tests/{failover,first-chat,numbers,quickstart}.campaign.test.ts',
    'e2e/tests/{standalone-webhooks,start}.campaign.test.ts',
    'e2e/tests/scope-matrix/matrix.campaign.test.ts',
    'examples/standalone/tests/first-minute.campaign.test.ts',
    'packages/adapter-postgres/tests/contract.campaign.test.ts',
    'packages/core/tests/conversation/exploration/exploration.campaign.test.ts',
    'packages/console/tests/{desk,page}.campaign.test.ts',
    'packages/widget/tests/{chat,page}.campaign.test.ts',
  ],
  /** On each supported Node: what depends on it. */
  'each-node': [
    'packages/adapter-{sqlite,postgres}/tests/contract.test.ts',
    'packages/core/tests/memory/contract.test.ts',
    'packages/ws-transport/tests/*.test.ts',
    'packages/http-{express,fastify}/tests/*.test.ts',
    'packages/{runtime-ai-sdk,runtime-retrieval}/tests/*.test.ts',
    'packages/integrations/tests/{link-previews,mcp,outbound-http}/*.test.ts',
    'e2e/tests/{embed,runtime-signal,language-model}.test.ts',
    'scripts/tests/node.test.ts',
  ],
} as const
