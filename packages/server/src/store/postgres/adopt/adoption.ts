/** The adoption of tables that were there before: which they are, and whether they fit. */
import type { ClientBase } from 'pg'
import { type Change, isAdoption, safe } from '../../migrate/change.ts'
import { declaredName, nounOf, type Schema, withAdopted } from '../../migrate/schema.ts'
import type { Model } from '../../model.ts'
import { miscounts } from '../tally/count.ts'
import { isTended } from './adopted-table.ts'
import type { Catalog } from './catalog.ts'
import { adoptedOf, adoptingOf, driftOf, withoutVersion } from './drift.ts'
import { readCatalog } from './read-catalog.ts'
import { recordMisfits } from './record-fit.ts'
import { type Adopting, linkMisfits, nounMisfits } from './table-fit.ts'

export class Adoption {
  readonly schema: Schema
  readonly #adopting: Adopting
  #catalog: Catalog

  private constructor(schema: Schema, catalog: Catalog, adopting: Adopting) {
    this.schema = schema
    this.#catalog = catalog
    this.#adopting = adopting
  }

  /** Every declared table that is there and not among those of the schema before is to be adopted. */
  static async of(client: ClientBase, model: Model, declared: Schema, before: Schema | undefined): Promise<Adoption> {
    const catalog = await readCatalog(client)
    const own = new Set([...(before?.nouns ?? []), ...(before?.links ?? [])].map(({ name }) => name))
    const found = catalog.tables.map(({ name }) => name).filter((name) => !own.has(name))
    const schema = withAdopted(declared, before, new Set(found))
    return new Adoption(schema, catalog, adoptingOf(model, schema))
  }

  /** Tables that were adopted before, and whose triggers did not see every write since. */
  async renewals(client: ClientBase, changes: readonly Change[]): Promise<readonly Change[]> {
    const renewed: Change[] = []
    for (const noun of this.schema.nouns) {
      // What does not fit any more is an obstacle.
      if (!noun.adopted || isChanged(noun, changes) || driftOf(noun, this.#catalog, this.#adopting).length > 0) continue
      const isTrue = async (condition: string) => (await client.query(`select ${condition} as "isTrue"`)).rows[0].isTrue
      if ((await isTrue(isTended(noun))) && (await isTrue(`not exists (${miscounts(noun)})`))) continue
      const sentence = `count "${declaredName(noun)}" anew, which was written past the triggers of its table`
      renewed.push(safe('renew-noun', noun.name, sentence))
    }
    return renewed
  }

  /** What stands in the way, in the tables first and only then in their records. */
  async obstacles(client: ClientBase, changes: readonly Change[]): Promise<readonly string[]> {
    const adopted = changes.filter(isAdoption)
    // Only what is read under the locks counts.
    this.#catalog = await readCatalog(client)
    const others = adoptedOf(this.schema).filter((one) => !isChanged(one, adopted))
    const misfits = [
      ...adopted.flatMap((change) => this.#misfits(change)),
      ...others.flatMap((one) => driftOf(one, this.#catalog, this.#adopting)),
    ]
    if (misfits.length > 0) return misfits
    const found: string[] = []
    for (const { kind, of } of adopted) {
      if (kind === 'adopt-link' || kind === 'renew-noun') continue
      found.push(...(await recordMisfits(client, nounOf(this.schema, of), this.#table(of))))
    }
    return found
  }

  #misfits({ kind, of }: Change): readonly string[] {
    if (kind === 'renew-noun') return []
    const table = this.#table(of)
    const link = this.schema.links.find(({ name }) => name === of)
    if (link) return linkMisfits(link, table, this.#adopting)
    // What was adopted already has the version that was added then.
    return nounMisfits(nounOf(this.schema, of), kind === 'readopt-noun' ? withoutVersion(table) : table, this.#adopting)
  }

  #table(name: string) {
    const found = this.#catalog.tables.find((table) => table.name === name)
    if (!found) throw new Error(`The table "${name}" is gone.`)
    return found
  }
}

function isChanged({ name }: { readonly name: string }, changes: readonly Change[]): boolean {
  return changes.some(({ of }) => of === name)
}
