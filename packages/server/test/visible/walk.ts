/** Sends every kind of request to an operation and compares each response with the expected records. */
import { change, type OperationKind } from '@nomen/core'
import type { Service } from '@nomen/server'
import { testDatabase } from '@nomen/testing/test-database'
import { afterAll, beforeAll, it } from 'vitest'
import { type CallerClient, openCallerClient } from './caller-client.ts'
import { walkList, walkLookup, walkOne } from './walk-read.ts'
import type { Met, Walk } from './walk-step.ts'
import { walkChange, walkCreate, walkDelete, walkLink } from './walk-write.ts'

/** Restored and erased records need a history, which the world does not have. */
type WalkedKind = Exclude<OperationKind, 'custom' | 'restore' | 'erase'>

/** Every kind of operation that is derived has its walk: one that is added does not compile without. */
const walks: { readonly [Kind in WalkedKind]: (walk: Walk, met: Met) => Promise<void> } = {
  list: walkList,
  read: walkOne,
  lookup: walkLookup,
  create: walkCreate,
  replace: walkChange,
  update: walkChange,
  delete: walkDelete,
  link: walkLink,
  unlink: walkLink,
}

/** Changes come after reads, and deletes at the end. */
const order = ['list', 'read', 'lookup', 'replace', 'update', 'create', 'link', 'unlink', 'delete']

/** One test for each operation of a service, on a database of its own. */
export function testEachOperation(
  service: Service,
  walk: Omit<Walk, 'client' | 'operation'>,
  expectMet: (met: Met) => void,
): void {
  let client: CallerClient
  let remove: () => Promise<void>

  beforeAll(async () => {
    const database = await testDatabase()
    remove = database.remove
    client = await openCallerClient(service, database.address)
  })

  afterAll(async () => {
    await client.close()
    await remove()
  })

  // The world has no history: history-visible.test.ts and history-restore.test.ts are about it.
  const table = service.operations
    .filter(({ kind, resource }) => order.includes(kind) && resource.noun !== change)
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || b.levels.length - a.levels.length)
  it.each(table.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'sees exactly these records in %s',
    async (_, operation) => expectMet(await walkOperation({ ...walk, client, operation })),
  )
}

async function walkOperation(walk: Walk): Promise<Met> {
  const met = { visible: 0, hidden: 0 }
  const { kind } = walk.operation
  if (kind !== 'custom' && kind !== 'restore' && kind !== 'erase') await walks[kind](walk, met)
  return met
}
