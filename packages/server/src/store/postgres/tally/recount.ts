/** Compares the tallies of a PostgreSQL database with its records, and recounts them if they differ. */
import type { ClientBase } from 'pg'
import { readPostgresUrl } from '../../connection/postgres-url.ts'
import { schemaMismatchError } from '../../migrate/error.ts'
import { expansionOf, missingChanges } from '../../migrate/expand/expansion.ts'
import { isCorrect, miscountOf, type NounCount, talliedNouns } from '../../migrate/recount.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import { declaredName, type NounSchema, withAdopted } from '../../migrate/schema/schema.ts'
import type { Model } from '../../model.ts'
import { entryCountTable, entryDeltaTable } from '../../sql/entry-count/entry-count.ts'
import { entryMiscountQuery } from '../../sql/entry-count/miscounts.ts'
import { stringLiteral } from '../../sql/sql.ts'
import { withClient } from '../connect/client.ts'
import { PostgresHosts } from '../connect/hosts.ts'
import { inMigration, inSnapshot } from '../migrate/connection.ts'
import { explainError } from '../migrate/error.ts'
import { takeLocks } from '../migrate/lock.ts'
import { readSchema } from '../migrate/snapshot.ts'
import { identifier, postgresName } from '../name.ts'
import { miscountQuery } from './count.ts'
import { entryRelations, entryTriggers } from './entry-count.ts'
import {
  compactFunction,
  deltaIndex,
  deltaTable,
  pageStartFunction,
  tallyKeyName,
  tallyTable,
  triggerKinds,
  triggerName,
} from './name.ts'
import { createTallies, dropTallies, recountTallies } from './tally.ts'

export function recountServer(url: string, model: Model, mode: 'check' | 'fix'): Promise<readonly NounCount[]> {
  return withClient(new PostgresHosts(readPostgresUrl(url)), async (client) => {
    const counts = await inSnapshot(client, async () => countsOf(client, await nounsIn(client, model)))
    if (mode === 'check' || counts.every(isCorrect)) return counts
    return inMigration(client, async () => fixTallies(client, await nounsIn(client, model), counts)).catch((error) => {
      throw explainError(error)
    })
  })
}

async function nounsIn(client: ClientBase, model: Model): Promise<readonly NounSchema[]> {
  const before = await readSchema(client)
  const schema = withAdopted(schemaOf(model), before)
  if (missingChanges(before, schema, true).length > 0) throw schemaMismatchError()
  return talliedNouns(expansionOf(before, schema, true).schema)
}

async function countsOf(client: ClientBase, nouns: readonly NounSchema[]): Promise<readonly NounCount[]> {
  const counts: NounCount[] = []
  for (const noun of nouns) counts.push(await countOf(client, noun))
  return counts
}

/** Counts again under locks those nouns that differed, and fixes them: only the counts under the locks are valid. */
async function fixTallies(
  client: ClientBase,
  nouns: readonly NounSchema[],
  earlierCounts: readonly NounCount[],
): Promise<readonly NounCount[]> {
  const wrongNouns = nouns.filter((_, index) => !isCorrect(earlierCounts[index] as NounCount))
  const isComplete = (noun: NounSchema) => earlierCounts[nouns.indexOf(noun)]?.missing.length === 0
  const lock = (locked: readonly NounSchema[], mode: string) =>
    locked.length === 0 ? [] : [`lock table ${locked.map(({ name }) => identifier(name)).join(', ')} in ${mode} mode`]
  // Dropping triggers needs the stronger lock, which is taken first to avoid deadlocks.
  await takeLocks(client, [
    ...lock(
      wrongNouns.filter((noun) => !isComplete(noun)),
      'access exclusive',
    ),
    ...lock(wrongNouns.filter(isComplete), 'share row exclusive'),
  ])
  const counts: NounCount[] = []
  for (const [index, noun] of nouns.entries()) {
    const count = wrongNouns.includes(noun) ? await countOf(client, noun) : (earlierCounts[index] as NounCount)
    counts.push(count)
    if (isCorrect(count)) continue
    // Any part may be missing, so every drop needs `if exists`.
    const statements =
      count.missing.length === 0
        ? recountTallies(noun)
        : [...dropTallies({ ...noun, adopted: true }), ...createTallies(noun)]
    for (const statement of statements) await client.query(statement)
  }
  return counts
}

async function countOf(client: ClientBase, noun: NounSchema): Promise<NounCount> {
  const missing = (await client.query(missingQuery(noun))).rows.map(({ name }) => `${name}`)
  const { rows } = await client.query(`select count(*)::text as number from ${identifier(noun.name)}`)
  const tables = noun.blocks ? [entryCountTable.name, entryDeltaTable] : [tallyTable(noun.name), deltaTable(noun.name)]
  const hasTables = !tables.some((name) => missing.includes(postgresName(name)))
  const query = noun.blocks ? entryMiscountQuery(noun, true) : miscountQuery(noun)
  const miscountRows = hasTables ? (await client.query(query)).rows : []
  return {
    noun: declaredName(noun),
    numberOfRecords: Number(rows[0]?.number),
    miscounts: miscountRows.map((row) => miscountOf(noun, row)),
    missing,
  }
}

/** Parts of the tallies that are missing, or triggers that are disabled. */
function missingQuery(noun: NounSchema): string {
  const { name } = noun
  const currentSchema = '(select oid from pg_namespace where nspname = current_schema())'
  const absentNames = (names: readonly string[], exists: string) => {
    const values = names.map((name) => `(${stringLiteral(postgresName(name))})`)
    return `select name from (values ${values.join(', ')}) as part (name) where not exists (${exists})`
  }
  const { relations, functions, triggers } = noun.blocks ? entryParts : tallyParts(noun)
  const table = `${stringLiteral(identifier(name))}::regclass`
  const isFiring = `tgrelid = ${table} and tgname = name and tgenabled in ('O', 'A')`
  return [
    absentNames(relations, `select from pg_class where relnamespace = ${currentSchema} and relname = name`),
    absentNames(functions, `select from pg_proc where pronamespace = ${currentSchema} and proname = name`),
    absentNames(triggers, `select from pg_trigger where ${isFiring}`),
  ].join(' union all ')
}

/** The names of the parts of a noun's tallies. */
function tallyParts(noun: NounSchema) {
  const { name } = noun
  return {
    relations: [tallyTable(name), deltaTable(name), tallyKeyName(name), deltaIndex(name)],
    functions: [compactFunction(name), pageStartFunction(name)],
    triggers: triggerKinds(noun).map((kind) => triggerName(name, kind)),
  }
}

const entryParts = { relations: entryRelations, functions: entryTriggers, triggers: entryTriggers }
