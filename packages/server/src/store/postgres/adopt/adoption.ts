/** Selects the existing tables to adopt, and compares them with the declarations. */
import type { ClientBase } from 'pg'
import { type Change, isAdoption, safe } from '../../migrate/change/change.ts'
import { declaredName, nounOf, type Schema, withAdopted } from '../../migrate/schema/schema.ts'
import type { Model } from '../../model.ts'
import { miscountQuery } from '../tally/count.ts'
import { isTracked } from './adopted-table.ts'
import type { Catalog } from './catalog.ts'
import { adoptedOf, adoptionContext, driftOf, withoutVersion } from './drift.ts'
import { readCatalog } from './read-catalog.ts'
import { recordMismatches } from './record-mismatch.ts'
import { type AdoptionContext, linkMismatches, nounMismatches } from './table-mismatch.ts'

export class Adoption {
  readonly schema: Schema
  readonly #context: AdoptionContext
  #catalog: Catalog

  private constructor(schema: Schema, catalog: Catalog, context: AdoptionContext) {
    this.schema = schema
    this.#catalog = catalog
    this.#context = context
  }

  /** Adopts every declared table that exists and is not in the schema before. */
  static async prepare(
    client: ClientBase,
    model: Model,
    declaredSchema: Schema,
    before: Schema | undefined,
  ): Promise<Adoption> {
    const catalog = await readCatalog(client)
    const knownTables = new Set([...(before?.nouns ?? []), ...(before?.links ?? [])].map(({ name }) => name))
    const addedTables = catalog.tables.map(({ name }) => name).filter((name) => !knownTables.has(name))
    const schema = withAdopted(declaredSchema, before, new Set(addedTables))
    return new Adoption(schema, catalog, adoptionContext(model, schema))
  }

  /** Tables that were adopted before, and whose triggers have missed writes since. */
  async recounts(client: ClientBase, changes: readonly Change[]): Promise<readonly Change[]> {
    const changedNouns: Change[] = []
    for (const noun of this.schema.nouns) {
      // Tables that no longer match are obstacles.
      if (!noun.adopted || isChanged(noun, changes) || driftOf(noun, this.#catalog, this.#context).length > 0) continue
      const isTrue = async (condition: string) => (await client.query(`select ${condition} as "isTrue"`)).rows[0].isTrue
      if ((await isTrue(isTracked(noun))) && (await isTrue(`not exists (${miscountQuery(noun)})`))) continue
      const sentence = `recount "${declaredName(noun)}", because writes have bypassed the triggers of its table`
      changedNouns.push(safe('recount-noun', noun.name, sentence))
    }
    return changedNouns
  }

  /** The obstacles: mismatches of the tables; if there are none, mismatches of their records. */
  async obstacles(client: ClientBase, changes: readonly Change[]): Promise<readonly string[]> {
    const adoptions = changes.filter(isAdoption)
    // Only the catalog that is read under the locks counts.
    this.#catalog = await readCatalog(client)
    const others = adoptedOf(this.schema).filter((table) => !isChanged(table, adoptions))
    const tableProblems = [
      ...adoptions.flatMap((change) => this.#misfits(change)),
      ...others.flatMap((table) => driftOf(table, this.#catalog, this.#context)),
    ]
    if (tableProblems.length > 0) return tableProblems
    const mismatches: string[] = []
    for (const { kind, subject } of adoptions) {
      if (kind === 'adopt-link' || kind === 'recount-noun') continue
      mismatches.push(...(await recordMismatches(client, nounOf(this.schema, subject), this.#table(subject))))
    }
    return mismatches
  }

  #misfits({ kind, subject }: Change): readonly string[] {
    if (kind === 'recount-noun') return []
    const table = this.#table(subject)
    const link = this.schema.links.find(({ name }) => name === subject)
    if (link) return linkMismatches(link, table, this.#context)
    // A table that was adopted before has a version column already.
    return nounMismatches(
      nounOf(this.schema, subject),
      kind === 'readopt-noun' ? withoutVersion(table) : table,
      this.#context,
    )
  }

  #table(name: string) {
    const table = this.#catalog.tables.find((candidate) => candidate.name === name)
    if (!table) throw new Error(`The table "${name}" no longer exists.`)
    return table
  }
}

function isChanged({ name }: { readonly name: string }, changes: readonly Change[]): boolean {
  return changes.some(({ subject }) => subject === name)
}
