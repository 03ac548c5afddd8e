/** `npm test` runs all projects, `npm run check` the fast one alone. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongFirst } from './testing/long-first.ts'
import { isFull } from './testing/prove.ts'

const slow = '**/*.slow.test.ts'
const ignored = ['**/node_modules/**', '**/dist/**']

/**
 * Tests that only `npm run prove` runs: with external tools, which it installs, in containers, of the built documentation site,
 * of many records, of failovers under load, of overload in a control group, of webhooks while processes are killed, and of
 * all ways to sign in. Short forms are `packages/server/test/webhook-*.test.ts`,
 * `replica-failover.slow.test.ts`, and `secured.slow.test.ts` and `session.slow.test.ts` of the console.
 */
const external = isFull
  ? []
  : [
      'testing/external/**',
      'testing/container/**',
      'docs/site/**',
      'apps/directory/test/event-loop.slow.test.ts',
      'apps/console/test/{sign-in,token-binding}.slow.test.ts',
      'packages/cli/test/failover.slow.test.ts',
      'packages/cli/test/limited.slow.test.ts',
      'packages/cli/test/webhook.slow.test.ts',
    ]

/** These limits find tests that hang. They do not measure speed: a busy machine may be ten times slower. */
const patient = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } }

/**
 * Test files of a project share their modules: loading them for each file takes nearly as long as its tests. A file that needs
 * modules of its own (`vi.mock`) is a slow one.
 */
const shared = { isolate: false }

/** Tests that also run through the typed client, over a port. */
const byClient = [
  'apps/directory/test/{conditional,create,delete,filter,include,link,list,nested,read,search,update,update-rule,variant}.test.ts',
]

/** Tests of behavior that does not depend on SQLite also run on PostgreSQL. */
const onPostgres = [
  'apps/directory/test/*.test.ts',
  'packages/server/test/{accent-search,after,assign,awkward-name,collation,collation-migration,computed,computed-read,computed-storage,computed-volatile,custom-filter,custom-operation,custom-operation-handler,data-rule,data-rule-load,database-default,durable-hook,field-kind,field-kind-text,field-scope,follow,follow-copy,follow-filter,history,history-at,history-erase,history-migration,history-model,history-origin,history-restore,history-retention,history-total,history-visible,identity-only,internal-operation,kept-reference,link-rule,list-limit,many-choices,naughty-text,nesting,operation-scope,owasp,owasp-operation,rule,sample,stored-name,target,tenant,text-pattern,trace,transaction,version,visible,visible-condition,visible-hidden,visible-walk,webhook,webhook-access,webhook-bulk,webhook-delivery,webhook-instance,webhook-order,write-once}.test.ts',
]

export default defineConfig({
  test: {
    // Slow tests often wait for processes that they started: four workers keep two cores busy.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFirst },
    globalSetup: ['testing/postgres/shared.ts', 'testing/compile.ts'],
    // A snapshot that is missing fails, as it does in CI; `vitest run -u` writes it.
    update: 'none',
    projects: [
      { test: { name: 'fast', include: ['**/*.test.ts'], exclude: [...ignored, slow], ...shared, ...patient } },
      {
        test: {
          name: 'slow',
          include: [slow],
          exclude: [...ignored, ...external],
          globalSetup: ['apps/console/test/built.ts'],
          // Processes that tests start share compiled modules: half of a start is reading TypeScript sources.
          env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/nomen-test') },
          ...patient,
        },
      },
      {
        test: {
          name: 'client',
          include: byClient,
          exclude: ignored,
          env: { NOMEN_TEST_TRANSPORT: 'client' },
          ...shared,
          ...patient,
        },
      },
      {
        test: {
          name: 'postgres',
          include: onPostgres,
          exclude: [
            ...ignored,
            // Replicas are always PostgreSQL; the event loop reads from SQLite only.
            'apps/directory/test/{model-replica,event-loop}.slow.test.ts',
            // These do not depend on the database: adapters, tokens, refused requests, names, headers, logs and raw HTTP.
            'apps/directory/test/{access-log,adapter,adapter-connection,adapter-write,auth,bad-body,bad-url,compression,conventions,header,naming,problem,reflection,tanstack-query,version,wire}.test.ts',
          ],
          // A request takes longer than on SQLite, where the same model runs with more steps.
          env: { NOMEN_TEST_DATABASE: 'postgres', MODEL_STEPS: process.env.MODEL_STEPS ?? (isFull ? '2000' : '600') },
          ...shared,
          ...patient,
        },
      },
    ],
  },
})
