/** `npm test` runs all projects, `npm run check` the fast one alone. */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const slow = '**/*.slow.test.ts'
const ignored = ['**/node_modules/**', '**/dist/**']

/** Nothing is said of speed: what takes this long on a machine that is busy with other things hangs. */
const patient = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } }

/** What can be said with the typed client is said with it, over a port. */
const byClient = [
  'apps/directory/test/{conditional,create,delete,filter,include,link,list,nested,read,update,variant}.test.ts',
]

/** What speaks of behaviour and not of SQLite runs a second time, on PostgreSQL. */
const onPostgres = [
  'apps/directory/test/*.test.ts',
  'packages/server/test/{after,awkward-name,computed,computed-storage,custom-filter,custom-operation,field-kind,first-edition,list-limit,nesting,owasp,pipelining,rule,sample,stored-name,target,trace,transaction,version,visible,visible-walk}.test.ts',
]

export default defineConfig({
  test: {
    // Most of the slow ones wait for processes of theirs: on two cores, three at a time leave none of them idle.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ['testing/shared-postgres.ts'],
    projects: [
      { test: { name: 'fast', include: ['**/*.test.ts'], exclude: [...ignored, slow], ...patient } },
      { test: { name: 'slow', include: [slow], exclude: ignored, ...patient } },
      { test: { name: 'client', include: byClient, exclude: ignored, env: { NOMEN_TEST_DOOR: 'client' }, ...patient } },
      {
        test: {
          name: 'postgres',
          include: onPostgres,
          // Replicas are PostgreSQL's in any case, and only on SQLite does the event loop read.
          exclude: [...ignored, 'apps/directory/test/{model-replica,event-loop}.slow.test.ts'],
          // A request takes longer than on SQLite; what the model knows of requests has been proven there.
          env: { NOMEN_TEST_DATABASE: 'postgres', MODEL_STEPS: process.env.MODEL_STEPS ?? '4000' },
          ...patient,
        },
      },
    ],
  },
})
