/** Explains the statement of a list on an SQLite file. */
import { schemaMismatchError } from '../../migrate/error.ts'
import { missingChanges } from '../../migrate/expand/expansion.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { hasEntryCounts } from '../../sql/entry-count/entry-count.ts'
import { isDeepPage, type ListInput } from '../../sql/list/page.ts'
import { listQuery } from '../../sql/list/query.ts'
import { sqliteDialect } from '../dialect.ts'
import { readSchema } from '../migrate/snapshot.ts'
import { openDatabase } from '../open-database.ts'
import { compile } from '../statement.ts'
import { entryCountingOf } from './list-forms.ts'
import { PageStarts } from './page-start.ts'
import { minOffset, TallyReader } from './tally-reader.ts'

export function explainFile(path: string, model: Model, plan: ListPlan) {
  const database = openDatabase(path)
  try {
    if (missingChanges(readSchema(database), schemaOf(model), false).length > 0) throw schemaMismatchError()
    const tallies = new TallyReader(database, model.nouns.get(plan.operation.shape.noun.name) as StoredNoun)
    const counting = hasEntryCounts(plan) ? entryCountingOf(plan) : tallies.countParts(plan, tallies.numberOfKeys(plan))
    PageStarts.of(database)
    const query = listQuery(sqliteDialect, plan, { counting, isDeep: isDeepPage(plan, minOffset) })
    const { text, bind } = compile<ListInput>(query)
    const values = bind(plan)
    const steps = database.prepare(`explain query plan ${text}`).all(...values) as unknown as readonly Step[]
    const statement = database.prepare(text)
    statement.setReturnArrays(true)
    const startMs = performance.now()
    const [numberOfRecords] = statement.get(...values) as unknown as [number, string]
    const durationMs = performance.now() - startMs
    return { numberOfRecords, durationMs, statement: text, steps: indentSteps(steps) }
  } finally {
    database.close()
  }
}

interface Step {
  readonly id: number
  readonly parent: number
  readonly detail: string
}

/** The steps as a tree. */
function indentSteps(steps: readonly Step[]): readonly string[] {
  const depths = new Map<number, number>([[0, -1]])
  return steps.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1
    depths.set(id, depth)
    return `${'  '.repeat(depth)}${detail}`
  })
}
