/** The store on an embedded SQLite file. */
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Operation } from '@nomen/core'
import { makeFolderSync } from '../../folder.ts'
import { DatabaseError } from '../database-error.ts'
import type { Model, StoredNoun } from '../model.ts'
import {
  type ListPlan,
  type LoadPart,
  type Outcome,
  type Plan,
  type Store,
  StoreUnavailable,
  type Values,
} from '../plan.ts'
import { slot } from '../sql/fragment.ts'
import {
  type Counting,
  directionOf,
  type ListInput,
  listKey,
  listQuery,
  type Place,
  passedOver,
} from '../sql/list-query.ts'
import { ancestorQuery, insertQuery, linkQuery, type RecordInput, readQuery } from '../sql/record-query.ts'
import { StatementCache } from '../sql/statement-cache.ts'
import { migrate } from './migrate.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { prepare, type Statement } from './statement.ts'
import { TallyReader } from './tally-reader.ts'
import { WriteQueue } from './write-queue.ts'

/** How many records are rather passed over than looked up in the tallies. */
const farAway = 512

/** A place before which, and after which, there is nothing. */
const nowhere: Place = { start: null, rest: 0 }

/** How many forms of filtered and sorted lists keep a prepared statement. */
const listForms = 500

export class SqliteStore implements Store {
  readonly #database: DatabaseSync
  readonly #model: Model
  readonly #queue: WriteQueue
  readonly #writer: SqliteWriter
  readonly #lists = new StatementCache<Statement<ListInput>>(listForms)
  readonly #tallies = new Map<string, TallyReader>()
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #reads = new Map<Operation, Statement<RecordInput>>()
  readonly #ancestors = new Map<Operation, Statement<RecordInput>>()

  /** Opens the file, made where it is missing, and brings its schema up to the model. */
  constructor(path: string, model: Model) {
    this.#database = openDatabase(path)
    try {
      migrate(this.#database, model, 'start')
      // From now on nobody waits inside SQLite, where everybody would: the queue asks again by itself.
      this.#database.exec('pragma busy_timeout = 20')
    } catch (error) {
      this.#database.close()
      throw error
    }
    this.#model = model
    this.#begin = this.#database.prepare('begin')
    this.#commit = this.#database.prepare('commit')
    this.#queue = new WriteQueue(this.#database)
    this.#writer = new SqliteWriter(this.#database, model, (plan) => this.#missingAncestor(plan))
  }

  run(plan: Plan): Outcome | Promise<Outcome> {
    if (!this.#database.isOpen) throw new StoreUnavailable('The database is closed.')
    if (plan.kind === 'list') return this.#list(plan)
    if (plan.kind === 'read') return this.#read(plan)
    return this.#queue.add(() => this.#writer.write(plan))
  }

  async load(parts: Iterable<LoadPart>): Promise<number> {
    return this.#queue.add(() => this.#load(parts))
  }

  async loadIfEmpty(parts: () => Iterable<LoadPart>): Promise<number> {
    // Another process may be loading much at this moment; nobody is served yet who would have to wait.
    this.#database.exec('pragma busy_timeout = 60000')
    try {
      return await this.#queue.add(() => (this.#isEmpty() ? this.#load(parts()) : 0))
    } finally {
      this.#database.exec('pragma busy_timeout = 20')
    }
  }

  async isEmpty(): Promise<boolean> {
    return this.#isEmpty()
  }

  #isEmpty(): boolean {
    for (const name of this.#model.nouns.keys()) {
      if (this.#database.prepare(`select 1 from "${name}" limit 1`).get()) return false
    }
    return true
  }

  async close(): Promise<void> {
    this.#queue.close()
    if (this.#database.isOpen) this.#database.close()
  }

  #list(plan: ListPlan): Outcome {
    const missing = this.#missingAncestor(plan)
    if (missing) return missing
    const tallies = remember(this.#tallies, plan.operation.shape.noun.name, () => this.#tallyReader(plan))
    const keys = tallies.keysOf(plan)
    const direction = directionOf(plan)
    const isFar = keys !== undefined && direction !== undefined && passedOver(plan) >= farAway
    return isFar ? this.#listFarAway(plan, tallies, keys, direction) : this.#listPage(plan, tallies, keys?.length)
  }

  /** What the tally says of the page's beginning must still be so when the page is read. */
  #listFarAway(
    plan: ListPlan,
    tallies: TallyReader,
    keys: readonly string[],
    direction: 'forward' | 'backward',
  ): Outcome {
    return this.#inSnapshot(() => {
      const place = tallies.place(keys, passedOver(plan), direction) ?? nowhere
      return this.#listPage({ ...plan, place }, tallies, keys.length)
    })
  }

  #listPage(plan: ListInput, tallies: TallyReader, keys = 0): Outcome {
    const { operation, place } = plan
    const form = `${operation.api}/${operation.path} ${listKey(plan)};${keys}${place ? ';far' : ''}`
    const statement = this.#lists.get(form, () =>
      prepare(this.#database, listQuery(sqliteDialect, plan, counting(plan, tallies, keys))),
    )
    const [numberOfRecords, json] = statement.first(plan) as [number, string]
    return { kind: 'list', json, numberOfRecords }
  }

  #tallyReader({ operation }: ListPlan): TallyReader {
    return new TallyReader(this.#database, this.#model.nouns.get(operation.shape.noun.name) as StoredNoun)
  }

  /** Several statements that see one and the same state of the database. */
  #inSnapshot<Result>(read: () => Result): Result {
    this.#begin.run()
    try {
      return read()
    } finally {
      this.#commit.run()
    }
  }

  #read(plan: Plan & RecordInput): Outcome {
    const missing = this.#missingAncestor(plan)
    if (missing) return missing
    const { operation } = plan
    const statement = remember(this.#reads, operation, () =>
      prepare(this.#database, readQuery(sqliteDialect, operation, operation.shape)),
    )
    const row = statement.first(plan)
    if (!row) return { kind: 'missing', level: operation.levels.length - 1 }
    const [json, identity, version] = row as [string, number | string, number]
    return { kind: 'record', json, identity, version }
  }

  /** The first record of the path above the last that is not there, or not related to those before it. */
  #missingAncestor({ operation, ancestors }: Plan): Outcome | undefined {
    if (operation.levels.length === 1) return undefined
    const statement = remember(this.#ancestors, operation, () =>
      prepare(this.#database, ancestorQuery(sqliteDialect, operation.levels)),
    )
    const level = statement.first({ ancestors, key: null })?.indexOf(0) ?? 0
    return level === -1 ? undefined : { kind: 'missing', level }
  }

  #load(parts: Iterable<LoadPart>): number {
    // Rows may come before those that they point at; the commit still checks them all.
    this.#database.exec('pragma defer_foreign_keys = on')
    let count = 0
    for (const part of parts) count += 'noun' in part ? this.#loadNoun(part) : this.#loadLink(part)
    return count
  }

  #loadNoun({ noun: name, rows }: LoadPart & { noun: string }): number {
    const stored = this.#model.nouns.get(name) as StoredNoun
    const fields = Object.keys(stored.noun.fields)
    const insert = prepare(this.#database, insertQuery(sqliteDialect, stored, fields))
    let count = 0
    for (const row of rows) {
      count += insert.run({ key: null, values: row as Values })
    }
    return count
  }

  #loadLink({ link: [near, far], rows }: LoadPart & { link: readonly [string, string] }): number {
    const link = this.#model.links.find(({ name }) => name === `${near}-${far}`)
    if (!link) throw new Error(`There is no link between "${near}" and "${far}".`)
    const insert = prepare(this.#database, linkQuery(link, ...link.nouns))
    let count = 0
    for (const pair of rows) count += insert.run({ near: pair[0], far: pair[1] })
    return count
  }
}

/** What the tallies tell of a plan with so many keys; nothing where it has none. */
function counting({ place }: ListInput, tallies: TallyReader, keys: number): Counting | undefined {
  if (keys === 0) return undefined
  return {
    total: tallies.total(keys),
    ...(keys > 1 && { alternatives: keys }),
    ...(place && {
      place: {
        start: slot<ListInput>((plan) => plan.place?.start),
        rest: slot<ListInput>((plan) => plan.place?.rest),
      },
    }),
  }
}

function remember<Key, Made>(known: Map<Key, Made>, key: Key, make: () => Made): Made {
  const found = known.get(key)
  if (found) return found
  const made = make()
  known.set(key, made)
  return made
}

/** Opens a database file as Nomen wants it: durable at every commit, readable while it is written. */
export function openDatabase(path: string): DatabaseSync {
  try {
    if (path !== ':memory:') makeFolderSync(dirname(path))
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 })
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16384')
    return database
  } catch (error) {
    const reason = error instanceof Error ? `: ${error.message}` : ''
    throw new DatabaseError(path, reason, 'Name a file that is a SQLite database, or one that can be made.')
  }
}
