import * as z from 'zod'
import type { ResourceKind } from '../../domain/agent/content.ts'
import { expectationsSchema } from '../../domain/agent/test-case.ts'
import { talkExpectationsSchema } from '../../domain/agent/test-visitor.ts'
import { answers, anyObject, count, environment, list, texts, time } from './answer.ts'

const agent = z
  .object({
    accountId: z.string(),
    agentId: z.string(),
    agentName: z.string(),
    createdAt: time,
    updatedAt: time,
    branchCount: count,
  })
  .meta({ id: 'Agent' })

/** A branch as it is listed. */
const branch = z
  .object({
    branchId: z.string(),
    branchName: z.string(),
    /** Equal to `branchName`. */
    name: z.string(),
    sequenceId: z.string(),
    createdAt: time,
    updatedAt: time,
    isMain: z.boolean(),
    baseRevision: z.string(),
  })
  .meta({ id: 'Branch' })

const RESOURCE_KINDS = [
  ...(['behavior', 'response_settings', 'topics', 'attributes', 'variants', 'test_cases'] as const),
] as const satisfies readonly ResourceKind[]

const changedResource = z
  .object({
    kind: z.enum(RESOURCE_KINDS),
    id: z.string(),
    name: z.string().nullable(),
    type: z.enum(['add', 'modify', 'delete']),
  })
  .meta({ id: 'ChangedResource' })

/** A field that two sides of a merge do not share. */
export const difference = z
  .object({
    path: texts,
    baseValue: z.unknown(),
    oursValue: z.unknown(),
    theirsValue: z.unknown(),
    type: z.enum(['modify', 'add', 'delete']),
  })
  .meta({ id: 'Difference' })

/** The changes that a merge would make. */
export const branchDiff = z
  .object({
    branchVersion: z.string(),
    baseRevision: z.string(),
    mainRevision: z.string(),
    changes: list(difference),
    mainChanges: list(difference),
    hasConflicts: z.boolean(),
    conflicts: list(difference),
  })
  .meta({ id: 'BranchDiff' })

/** The main content that a merge with some resolutions would produce. */
export const mergePreview = z
  .object({
    branchVersion: z.string(),
    mainRevision: z.string(),
    changes: list(difference),
    conflicts: list(difference),
  })
  .meta({ id: 'MergePreview' })

/** A branch with what it changed. */
export const branchWithChanges = branch
  .extend({ changes: list(changedResource) })
  .meta({ id: 'BranchWithChanges' })

const deployment = z
  .object({
    id: z.string(),
    accountId: z.string(),
    agentId: z.string(),
    environment,
    artifactVersion: z.string(),
    version: z.string(),
    createdBy: z.string(),
    createdAt: time,
    metadata: z.object({
      deployment_message: z.string(),
      deployment_type: z.enum(['merge', 'publish', 'promotion', 'rollback']),
    }),
  })
  .meta({ id: 'Deployment' })

const deployed = z.object({ deployment, testRunIds: texts }).meta({ id: 'Deployed' })

/** The deployment that runs in each environment. */
const activeDeployments = z.object({
  sandbox: deployment.nullable(),
  'pre-release': deployment.nullable(),
  live: deployment.nullable(),
})

const realTimeConfig = z
  .object({
    clientEnv: environment,
    variables: anyObject,
    schema: anyObject.exactOptional(),
    lastUpdated: time.exactOptional(),
  })
  .meta({ id: 'RealTimeConfig' })

const telephonyConnector = z
  .object({
    connectorId: z.string(),
    name: z.string(),
    accountId: z.string(),
    projectId: z.string(),
    clientEnv: environment,
    variantId: z.string(),
    asrLangCode: z.string(),
    ttsLangCode: z.string(),
    voiceName: z.string(),
    disableHandoff: z.boolean(),
  })
  .meta({ id: 'TelephonyConnector' })

const phoneNumber = z
  .object({
    number: z.string(),
    projectId: z.string(),
    accountId: z.string(),
    clientEnv: environment,
    connectorId: z.string().exactOptional(),
  })
  .meta({ id: 'PhoneNumber' })

const voice = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    provider: z.string(),
    providerVoiceId: z.string(),
    config: anyObject,
    metadata: anyObject.exactOptional(),
    // The word `AI` is the brand of the server: with another one it is another field.
    isAIVoice: z.boolean().exactOptional(),
  })
  .meta({ id: 'Voice' })

const cachedAudio = z
  .looseObject({
    id: z.string(),
    transcript: z.string(),
    cachedAt: time,
    hitCount: count,
    duration: z.number().min(0),
    regenerated: z.boolean(),
    provider: z.string(),
    providerVoiceId: z.string(),
    audioFilename: z.string().exactOptional(),
    imported: z.boolean(),
    languageCode: z.string(),
  })
  .meta({ id: 'CachedAudio' })

const wav = { contentType: 'audio/wav' } as const

const FORMAT = 'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT'
const IMPORT = [
  ...([FORMAT, 'PHONE_NUMBERS_ALREADY_EXISTS', 'PHONE_NUMBERS_LIMIT', 'ACCOUNT_NOT_FOUND'] as const),
  ...(['PROJECT_NOT_FOUND'] as const),
] as const

const status = z.enum(['running', 'passed', 'failed', 'errored'])

const testRun = z
  .object({
    id: z.string(),
    agentId: z.string(),
    deploymentId: z.string(),
    environment,
    artifactVersion: z.string(),
    version: z.string(),
    status,
    error: z.string().nullable(),
    testCases: z.object({ total: count, passed: count, failed: count, errored: count }),
    branchId: z.string().nullable(),
    testers: z.object({ visitor: z.string(), judge: z.string().nullable() }).nullable(),
    startedBy: z.string().nullable(),
    startedAt: time,
    finishedAt: time.nullable(),
  })
  .meta({ id: 'TestRun' })

const testTurnResult = z
  .object({
    text: z.string(),
    reply: z.string(),
    retrievedTopics: texts,
    citedTopic: z.string(),
    functionEvents: list(z.unknown()),
    handoff: z.object({ destination: z.string() }).nullable(),
    ended: z.boolean(),
    verdicts: list(
      z.object({
        expectation: expectationsSchema.keyof(),
        passed: z.boolean(),
        expected: z.unknown(),
        actual: z.unknown(),
      }),
    ),
  })
  .meta({ id: 'TestTurnResult' })

const testTalk = z
  .object({
    status: status.exclude(['running']),
    error: z.string().nullable(),
    turns: list(testTurnResult),
    verdicts: list(
      z.object({
        expectation: talkExpectationsSchema.keyof(),
        passed: z.boolean(),
        expected: z.unknown(),
        actual: z.unknown(),
      }),
    ),
  })
  .meta({ id: 'TestTalk' })

const testCaseResult = z
  .object({
    testCaseId: z.string(),
    name: z.string(),
    status: status.exclude(['running']),
    error: z.string().nullable(),
    turns: list(testTurnResult),
    talks: list(testTalk).optional(),
  })
  .meta({ id: 'TestCaseResult' })

const testingRun = z
  .object({
    id: z.string(),
    agentId: z.string(),
    status: z.enum(['running', 'completed', 'errored']),
    error: z.string().nullable(),
    errorCount: count,
    passedCount: count,
    failedCount: count,
    testCaseCount: count,
    branchId: z.string().nullable(),
    deploymentId: z.string().nullable(),
    startedAt: time,
    finishedAt: time.nullable(),
    startedBy: z.string().nullable(),
  })
  .meta({ id: 'TestingRun' })

const testedCase = z
  .object({
    testRunId: z.string(),
    testCaseId: z.string(),
    testCaseSnapshot: z.object({ name: z.string() }),
    status: status.exclude(['running']),
    error: z.string().nullable(),
    startedAt: time,
    results: z.object({
      prompt_assertion_results: list(
        z.object({ prompt: z.string(), is_pass: z.boolean(), reason: z.string() }),
      ),
      function_call_failures: list(
        z.object({
          name: z.string(),
          is_pass: z.boolean(),
          failure_reason: z.string(),
          error: z.string(),
        }),
      ),
    }),
    rawConversation: z.object({
      turns: list(
        z.object({
          user_input: z.string(),
          agent_response: z.string(),
          function_calls: list(z.object({ name: z.string(), arguments: anyObject, error: z.string() })),
        }),
      ),
    }),
  })
  .meta({ id: 'TestedCase' })

const pageByOffset = { limit: count, offset: count, next_offset: count.exactOptional() }

/** The responses of the routes about agents, except those about their content (contract/agents.md). */
export const agentAnswers = {
  listAgents: answers({ 200: list(agent) }),
  createAgent: answers({ 200: agent }, 'PROJECT_ID_ALREADY_EXISTS'),
  readAgent: answers({ 200: agent }),
  duplicateAgent: answers({ 200: agent }, 'PROJECT_ID_ALREADY_EXISTS'),
  updateAgent: answers({ 200: agent }),
  deleteAgent: answers({ 204: null }),

  listBranches: answers({ 200: z.object({ branches: list(branch) }) }),
  createBranch: answers(
    { 201: z.object({ branchId: z.string(), sequenceId: z.string() }) },
    'BRANCH_ALREADY_EXISTS',
  ),
  readBranch: answers({ 200: branchWithChanges }),
  diffBranch: answers({ 200: branchDiff }),
  deleteBranch: answers({ 200: z.object({ sequence: z.string(), message: z.string() }) }),
  mergeBranch: answers(
    { 200: z.object({ sequence: z.string(), message: z.string(), testRunIds: texts }) },
    'MERGE_CONFLICTS',
    'MERGE_INVALID_RESOLUTION',
    'CONTENT_CHANGED',
  ),

  listDeployments: answers(
    { 200: z.object({ deployments: list(deployment) }) },
    'DEPLOYMENTS_INVALID_ENVIRONMENT',
  ),
  listActiveDeployments: answers({ 200: z.object({ activeDeployments }) }),
  compareDeployments: answers({ 200: z.object({ changes: list(difference) }) }, 'DEPLOYMENT_NOT_FOUND'),
  publishDeployment: answers(
    { 201: deployed },
    'DEPLOYMENTS_INVALID_ENVIRONMENT',
    'DEPLOYMENTS_ALREADY_PUBLISHED',
    'DEPLOYMENTS_PRE_RELEASE_REQUIRED',
    'DEPLOYMENTS_TESTS_NOT_PASSED',
    'DEPLOYMENTS_REPLAY_NOT_PASSED',
    'ROLLOUTS_RUNNING',
    'CONTENT_CHANGED',
  ),
  promoteDeployment: answers(
    { 200: deployed },
    'DEPLOYMENT_NOT_FOUND',
    'DEPLOYMENTS_INVALID_TARGET',
    'DEPLOYMENTS_ALREADY_PUBLISHED',
    'DEPLOYMENTS_PRE_RELEASE_REQUIRED',
    'DEPLOYMENTS_TESTS_NOT_PASSED',
    'DEPLOYMENTS_REPLAY_NOT_PASSED',
    'ROLLOUTS_RUNNING',
    'CONTENT_CHANGED',
  ),
  rollbackDeployment: answers(
    { 200: deployed },
    'DEPLOYMENT_NOT_FOUND',
    'ROLLOUTS_RUNNING',
    'CONTENT_CHANGED',
  ),

  listRealTimeConfigs: answers({ 200: z.object({ configPages: list(realTimeConfig) }) }),
  readRealTimeConfig: answers({ 200: realTimeConfig }, 'REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT'),
  replaceRealTimeConfigSchema: answers(
    { 200: realTimeConfig },
    'REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT',
    'REAL_TIME_CONFIG_INVALID_SCHEMA',
    'REAL_TIME_CONFIG_INVALID_FOR_SCHEMA',
  ),
  updateRealTimeConfigVariables: answers(
    { 200: realTimeConfig },
    'REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT',
    'REAL_TIME_CONFIG_INVALID_FOR_SCHEMA',
  ),

  createTelephonyConnector: answers(
    { 201: telephonyConnector },
    ...(['ACCOUNT_NOT_FOUND', 'PROJECT_NOT_FOUND', 'VARIANT_NOT_FOUND'] as const),
    'SPEECH_PROVIDER_FAILED',
  ),
  listTelephonyConnectors: answers({ 200: z.object({ connectors: list(telephonyConnector) }) }),
  readTelephonyConnector: answers({ 200: telephonyConnector }, 'CONNECTORS_NOT_FOUND'),
  updateTelephonyConnector: answers(
    { 200: telephonyConnector },
    ...(['CONNECTORS_NOT_FOUND', 'VARIANT_NOT_FOUND', 'SPEECH_PROVIDER_FAILED'] as const),
  ),
  deleteTelephonyConnector: answers(
    { 200: z.object({ deletedConnector: z.string(), deletedPhoneNumbers: texts }) },
    'CONNECTORS_NOT_FOUND',
  ),
  findTelephonyConnectors: answers({ 200: z.object({ found: list(telephonyConnector), notFound: texts }) }),
  updateTelephonyConnectors: answers({
    200: z.object({
      results: list(
        z.object({
          connectorId: z.string(),
          success: z.boolean(),
          data: telephonyConnector.exactOptional(),
          error: z.string().exactOptional(),
        }),
      ),
    }),
  }),
  findTelephonyConnector: answers({ 200: telephonyConnector }, 'CONNECTORS_NOT_FOUND', FORMAT),

  listPhoneNumbers: answers({ 200: z.object({ phoneNumbers: list(phoneNumber) }) }),
  importPhoneNumbers: answers({ 201: z.object({ imported: texts }) }, ...IMPORT),
  deletePhoneNumbers: answers({
    200: z.object({
      deleted: texts,
      errors: list(z.object({ phoneNumber: z.string(), error: z.string() })).exactOptional(),
    }),
  }),
  findPhoneNumbers: answers({ 200: z.object({ found: list(phoneNumber), notFound: texts }) }, FORMAT),
  readPhoneNumber: answers({ 200: phoneNumber }, FORMAT, 'PHONE_NUMBERS_NOT_FOUND'),
  importPhoneNumber: answers(
    { 201: z.object({ imported: z.string() }) },
    ...IMPORT,
    'PHONE_NUMBERS_CONNECTOR_DOES_NOT_EXIST',
  ),
  updatePhoneNumber: answers(
    { 200: phoneNumber },
    FORMAT,
    'PHONE_NUMBERS_NOT_FOUND',
    'PHONE_NUMBERS_CONNECTOR_DOES_NOT_EXIST',
  ),
  deletePhoneNumber: answers({ 200: z.object({ deleted: z.string() }) }, FORMAT, 'PHONE_NUMBERS_NOT_FOUND'),

  listVoices: answers({ 200: z.object({ voices: list(voice) }) }, 'SPEECH_PROVIDER_FAILED'),
  createVoice: answers({ 200: z.object({ voice }) }, 'VOICES_LIMIT'),
  readVoice: answers({ 200: z.object({ voice }) }, 'VOICES_NOT_FOUND', 'SPEECH_PROVIDER_FAILED'),
  updateVoice: answers(
    { 200: z.object({ voice }) },
    ...(['VOICES_NOT_FOUND', 'VOICES_READ_ONLY', 'SPEECH_PROVIDER_FAILED'] as const),
  ),
  readVoiceSample: answers(
    {
      200: z.object({
        voiceId: z.string(),
        sampleUrl: z.string(),
        expiresInSeconds: z.int().min(1),
        text: z.string(),
      }),
    },
    ...(['VOICES_NOT_FOUND', 'NOT_IMPLEMENTED', 'SPEECH_PROVIDER_FAILED'] as const),
  ),

  listCachedAudio: answers({
    200: z.object({ entries: list(cachedAudio), totalCount: count, next_offset: count.exactOptional() }),
  }),
  deleteCachedAudio: answers({ 200: z.object({ success: z.boolean() }) }, 'AUDIO_CACHE_NOT_FOUND'),
  bulkDeleteCachedAudio: answers({ 200: z.object({ deleted: texts, failed: texts }) }),
  readCachedAudioFile: answers({ 200: wav }, 'AUDIO_CACHE_NOT_FOUND'),
  updateCachedAudioFile: answers({ 204: null }, 'AUDIO_CACHE_NOT_FOUND', 'WRITE_CONFLICT'),
  replaceCachedAudioDetails: answers({ 204: null }, 'AUDIO_CACHE_NOT_FOUND', 'WRITE_CONFLICT'),
  synthesizeCachedAudio: answers(
    { 200: wav },
    ...(['AUDIO_CACHE_NOT_FOUND', 'NOT_IMPLEMENTED', 'SPEECH_PROVIDER_FAILED'] as const),
  ),

  listTestRuns: answers({ 200: z.object({ testRuns: list(testRun), cursor: z.string().nullable() }) }),
  startTestRun: answers({ 201: testRun }, 'DEPLOYMENT_NOT_FOUND', 'TEST_RUN_WITHOUT_TEST_CASES'),
  readTestRun: answers(
    { 200: testRun.extend({ results: list(testCaseResult) }).meta({ id: 'TestRunWithResults' }) },
    'TEST_RUN_NOT_FOUND',
  ),
  listTestingRuns: answers({ 200: z.object({ testRuns: list(testingRun), ...pageByOffset }) }),
  triggerTestRun: answers(
    { 201: testingRun.extend({ test_case_count: count }).meta({ id: 'TriggeredTestRun' }) },
    ...(['BRANCH_NOT_FOUND', 'TEST_CASE_NOT_FOUND', 'TEST_RUN_WITHOUT_TEST_CASES'] as const),
  ),
  readTestingRun: answers(
    { 200: testingRun.extend({ testHistory: list(testedCase) }).meta({ id: 'TestingRunWithHistory' }) },
    'TEST_RUN_NOT_FOUND',
  ),
  listTestHistory: answers({ 200: z.object({ testHistory: list(testedCase), ...pageByOffset }) }),
}
