/** Explains the statement of a list on an SQLite file. */
import { schemaMismatchError } from '../../migrate/error.ts'
import { missingChanges } from '../../migrate/expand/expansion.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { hasEntryCounts } from '../../sql/entry-count/entry-count.ts'
import { directionOf, isDeepPage, type ListInput, recordsToSkip } from '../../sql/list/page.ts'
import { listQuery } from '../../sql/list/query.ts'
import { sqliteDialect } from '../dialect.ts'
import { readSchema } from '../migrate/snapshot.ts'
import { openDatabase } from '../open-database.ts'
import { compile } from '../statement.ts'
import { countingOf, entryCountingOf, minOffset } from './list-forms.ts'
import { TallyReader } from './tally-reader.ts'

export function explainFile(path: string, model: Model, plan: ListPlan) {
  const database = openDatabase(path)
  try {
    if (missingChanges(readSchema(database), schemaOf(model), false).length > 0) throw schemaMismatchError()
    const tallies = new TallyReader(database, model.nouns.get(plan.operation.shape.noun.name) as StoredNoun)
    const keys = tallies.keysOf(plan)
    const input = withPageStart(plan, tallies, keys)
    const counting = hasEntryCounts(plan) ? entryCountingOf(plan) : countingOf(input, tallies, keys?.length ?? 0)
    const query = listQuery(sqliteDialect, input, { counting, isDeep: isDeepPage(input, minOffset) })
    const { text, bind } = compile<ListInput>(query)
    const values = bind(input)
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

/** Like the service, which uses the tallies to find the start of pages with high numbers. */
function withPageStart(plan: ListPlan, tallies: TallyReader, keys: readonly string[] | undefined): ListInput {
  const direction = directionOf(plan)
  if (!keys || !direction || recordsToSkip(plan) < minOffset) return plan
  const pageStart = tallies.findPageStart(keys, recordsToSkip(plan), direction)
  return pageStart ? { ...plan, pageStart } : plan
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
