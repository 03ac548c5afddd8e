/** Compares the tallies of a PostgreSQL database with its records, and counts anew where they differ. */
import type { ClientBase } from 'pg'
import { doesNotFit } from '../../migrate/error.ts'
import { migrationOf } from '../../migrate/migration.ts'
import { isRight, miscountOf, type NounCount } from '../../migrate/recount.ts'
import { declaredName, type NounSchema, schemaOf, withAdopted } from '../../migrate/schema.ts'
import type { Model } from '../../model.ts'
import { readAddress } from '../../postgres-address.ts'
import { textLiteral } from '../../sql/sql.ts'
import { PostgresHosts } from '../connect/hosts.ts'
import { alone, looking } from '../migrate/connection.ts'
import { explained } from '../migrate/error.ts'
import { takeLocks } from '../migrate/lock.ts'
import { readSchema } from '../migrate/snapshot.ts'
import { identifier, postgresName } from '../name.ts'
import { miscounts } from './count.ts'
import {
  deltaIndex,
  deltaTable,
  foldFunction,
  placeFunction,
  tallyKeyName,
  tallyTable,
  triggerKinds,
  triggerName,
} from './name.ts'
import { createTallies, dropTallies, recountTallies } from './tally.ts'

export async function recountServer(
  address: string,
  model: Model,
  mode: 'check' | 'fix',
): Promise<readonly NounCount[]> {
  const hosts = new PostgresHosts(readAddress(address))
  const client = await hosts.openPatient().catch((error) => {
    throw hosts.startError(error)
  })
  try {
    const found = await looking(client, async () => countsOf(client, await nounsIn(client, model)))
    if (mode === 'check' || found.every(isRight)) return found
    return await alone(client, async () => fixed(client, await nounsIn(client, model), found)).catch((error) => {
      throw explained(error)
    })
  } finally {
    await client.end()
  }
}

async function nounsIn(client: ClientBase, model: Model): Promise<readonly NounSchema[]> {
  const known = await readSchema(client)
  const schema = withAdopted(schemaOf(model), known)
  if (migrationOf(known, schema).length > 0) throw doesNotFit()
  return schema.nouns
}

async function countsOf(client: ClientBase, nouns: readonly NounSchema[]): Promise<readonly NounCount[]> {
  const counts: NounCount[] = []
  for (const noun of nouns) counts.push(await countOf(client, noun))
  return counts
}

/** Looks again at what differed while nobody else writes it, since only what is found then counts. */
async function fixed(
  client: ClientBase,
  nouns: readonly NounSchema[],
  found: readonly NounCount[],
): Promise<readonly NounCount[]> {
  const wrong = nouns.filter((_, at) => !isRight(found[at] as NounCount))
  const isWhole = (noun: NounSchema) => found[nouns.indexOf(noun)]?.missing.length === 0
  const lock = (some: readonly NounSchema[], mode: string) =>
    some.length === 0 ? [] : [`lock table ${some.map(({ name }) => identifier(name)).join(', ')} in ${mode} mode`]
  // Triggers are taken away under the stronger lock, which is asked for first so that nobody waits in a circle.
  await takeLocks(client, [
    ...lock(
      wrong.filter((noun) => !isWhole(noun)),
      'access exclusive',
    ),
    ...lock(wrong.filter(isWhole), 'share row exclusive'),
  ])
  const counts: NounCount[] = []
  for (const [at, noun] of nouns.entries()) {
    const count = wrong.includes(noun) ? await countOf(client, noun) : (found[at] as NounCount)
    counts.push(count)
    if (isRight(count)) continue
    // What is missing may be anything of it.
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
  const isThere = ![tallyTable(noun.name), deltaTable(noun.name)].some((name) => missing.includes(postgresName(name)))
  const wrong = isThere ? (await client.query(miscounts(noun))).rows : []
  return {
    noun: declaredName(noun),
    numberOfRecords: Number(rows[0]?.number),
    miscounts: wrong.map((row) => miscountOf(noun, row)),
    missing,
  }
}

/** What keeps count and is not there, or does not fire. */
function missingQuery(noun: NounSchema): string {
  const { name } = noun
  const here = '(select oid from pg_namespace where nspname = current_schema())'
  const each = (names: readonly string[], isThere: string) => {
    const values = names.map((one) => `(${textLiteral(postgresName(one))})`)
    return `select name from (values ${values.join(', ')}) as one (name) where not exists (${isThere})`
  }
  const relations = [tallyTable(name), deltaTable(name), tallyKeyName(name), deltaIndex(name)]
  const functions = [foldFunction(name), placeFunction(name)]
  const triggers = triggerKinds(noun).map((kind) => triggerName(name, kind))
  const isFiring = `tgrelid = ${textLiteral(identifier(name))}::regclass and tgname = name and tgenabled in ('O', 'A')`
  return [
    each(relations, `select from pg_class where relnamespace = ${here} and relname = name`),
    each(functions, `select from pg_proc where pronamespace = ${here} and proname = name`),
    each(triggers, `select from pg_trigger where ${isFiring}`),
  ].join(' union all ')
}
