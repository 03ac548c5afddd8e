/** Finds the IDs of records that a file names by their labels, as an exported list shows its references. */

import type { HttpClient } from '../../http/http-client.ts'
import { pageFrom } from '../../http/response-body.ts'
import { text } from '../../language/language.ts'
import { withHidden } from '../../model/list/query.ts'
import { formOf } from '../../model/record/form.ts'
import { labelFields, labelOf } from '../../model/record/label.ts'
import type { Json } from '../../model/service/openapi.ts'
import { type Collection, idOf, rootOf, type Service, type Variant } from '../../model/service/service.ts'
import { nounText } from '../../model/title.ts'

interface Reference {
  readonly name: string
  readonly title: string
  readonly isNumeric: boolean
  readonly target: Collection
}

export interface ResolvedReferences {
  readonly body: Json
  /** The reason why a label has no ID; undefined if all have one. */
  readonly reason: string | undefined
  /** Another row of the file may create the missing record. */
  readonly isPending: boolean
}

interface LabelledRecords {
  /** The IDs by label. */
  readonly ids: Map<string, unknown[]>
  /** Whether the list may have further records: it is too long, or a default filter hides some. */
  readonly isPartial: boolean
}

/** A list with more records than this is not read as a whole. */
const maxPages = 20
const largestPage = 1000
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export class ReferenceLabels {
  readonly #http: HttpClient
  readonly #service: Service
  readonly #collection: Collection
  readonly #references: readonly Reference[]
  /** The records of each noun. */
  readonly #records = new Map<string, Promise<LabelledRecords>>()

  constructor(http: HttpClient, service: Service, collection: Collection) {
    this.#http = http
    this.#service = service
    this.#collection = collection
    this.#references = formOf(collection, 'create').fields.flatMap(({ name, title, reference, isNumeric }) => {
      const target = reference === undefined ? undefined : rootOf(service, collection.api, reference)
      return target ? [{ name, title, isNumeric, target }] : []
    })
  }

  /** The body with IDs in place of labels. */
  async resolve(body: Json): Promise<ResolvedReferences> {
    const values: { [name: string]: unknown } = { ...body }
    for (const { name, title, isNumeric, target } of this.#references) {
      const value = values[name]
      if (typeof value !== 'string' || value === '' || (isNumeric ? /^\d+$/.test(value) : uuid.test(value))) continue
      const { ids: idsByLabel, isPartial } = await this.#recordsOf(target)
      const ids = idsByLabel.get(value) ?? []
      if (ids.length === 1) values[name] = ids[0]
      // The text may also be an ID, which the service checks.
      else if (isNumeric || ids.length > 1) {
        const { labelNotFound, labelUnknown } = text().bulk
        const noun = nounText(target)
        const reason =
          ids.length === 0 && isPartial
            ? labelNotFound(title, value, noun)
            : labelUnknown(title, value, ids.length, noun)
        return { body, reason, isPending: ids.length === 0 && target.noun === this.#collection.noun }
      }
    }
    return { body: values, reason: undefined, isPending: false }
  }

  /** A created record can be referenced by the next rows. */
  async add(record: Json): Promise<void> {
    const ownReference = this.#references.find(({ target }) => target.noun === this.#collection.noun)
    // A list that is read later has the record.
    const known = ownReference && (await this.#records.get(ownReference.target.noun)?.catch(() => undefined))
    if (known) addTo(known.ids, labelOf(this.#service, ownReference.target, record), idOf(ownReference.target, record))
  }

  #recordsOf(target: Collection): Promise<LabelledRecords> {
    const known = this.#records.get(target.noun)
    if (known) return known
    const records = this.#readRecords(target)
    this.#records.set(target.noun, records)
    // After a failure, the next row reads the list again.
    records.catch(() => this.#records.delete(target.noun))
    return records
  }

  async #readRecords(target: Collection): Promise<LabelledRecords> {
    const ids = new Map<string, unknown[]>()
    const names = labelFields(this.#service, target)
    const showsLabel = ({ columns }: Variant) => names.every((name) => columns.some((column) => column.name === name))
    const variant = target.variants.find(showsLabel) ?? target.variants[0]
    for (let pageNumber = 1; variant && pageNumber <= maxPages; pageNumber++) {
      const page = new URLSearchParams()
      if (variant.isPaginated) page.set('pageNumber', `${pageNumber}`)
      if (variant.pageSize) page.set('pageSize', `${Math.min(largestPage, variant.pageSize.maximum)}`)
      const { query, hidesRecords } = withHidden(variant.filters, page)
      const { body } = await this.#http.send({ base: target.api.base, method: 'GET', path: variant.path, query })
      const { records, pageInfo } = pageFrom(body, variant.property)
      for (const record of records) addTo(ids, labelOf(this.#service, target, record), idOf(target, record))
      if (pageNumber >= (pageInfo?.numberOfPages ?? 1)) return { ids, isPartial: hidesRecords }
    }
    return { ids, isPartial: true }
  }
}

function addTo(ids: Map<string, unknown[]>, label: string, id: unknown): void {
  const known = ids.get(label)
  if (!known) ids.set(label, [id])
  else if (!known.includes(id)) known.push(id)
}
